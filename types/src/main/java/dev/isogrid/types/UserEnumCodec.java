package dev.isogrid.types;

import org.infinispan.protostream.EnumMarshaller;
import org.jspecify.annotations.Nullable;

/** Enums of a ProtoStream initializer of the user. */
final class UserEnumCodec<E extends Enum<E>> extends Codec {
  private final EnumMarshaller<E> marshaller;
  private final Class<? extends E> type;

  UserEnumCodec(EnumMarshaller<E> marshaller) {
    this.marshaller = marshaller;
    this.type = marshaller.getJavaClass();
  }

  @Override
  int wireType() {
    return MessageWriter.VARINT;
  }

  @Override
  void write(MessageWriter out, Object value) {
    out.int32(marshaller.encode(type.cast(value)));
  }

  @Override
  @Nullable Object read(MessageReader in) {
    return marshaller.decode(in.varint32());
  }

  @Override
  @Nullable Object zero() {
    return marshaller.decode(0);
  }
}
