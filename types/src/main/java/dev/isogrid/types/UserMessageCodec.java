package dev.isogrid.types;

import java.io.IOException;
import org.infinispan.protostream.ImmutableSerializationContext;
import org.infinispan.protostream.ProtobufUtil;

/** Messages of a ProtoStream initializer of the user. */
final class UserMessageCodec extends MessageCodec {
  private final ImmutableSerializationContext context;
  private final Class<?> type;

  UserMessageCodec(ImmutableSerializationContext context, Class<?> type) {
    this.context = context;
    this.type = type;
  }

  @Override
  void writeBody(MessageWriter out, Object value) {
    try {
      out.raw(ProtobufUtil.toByteArray(context, value));
    } catch (IOException e) {
      throw new IllegalStateException("writing to an array failed", e);
    }
  }

  @Override
  Object readBody(MessageReader in) {
    int length = in.remaining();
    try {
      return ProtobufUtil.fromByteArray(context, in.array(), in.position(), length, type);
    } catch (IOException e) {
      throw MessageReader.malformed("not a %s, %s".formatted(type.getName(), e.getMessage()));
    }
  }
}
