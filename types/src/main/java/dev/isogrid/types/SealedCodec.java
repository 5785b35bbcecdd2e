package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of a sealed interface: a message with one field, which says of which class it is. */
final class SealedCodec extends MessageCodec {
  /** One of the permitted classes. */
  record Leaf(Class<?> type, int number, Codec codec) {}

  private final Map<Class<?>, Leaf> byClass = new HashMap<>();
  private final Map<Integer, Leaf> byNumber = new HashMap<>();

  /** Adds a permitted class; all are added before the first use. */
  void add(Leaf leaf) {
    byClass.put(leaf.type(), leaf);
    byNumber.put(leaf.number(), leaf);
  }

  @Override
  void writeBody(MessageWriter out, Object value) {
    Class<?> type =
        value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
    Leaf leaf = byClass.get(type);
    if (leaf == null) {
      throw new InvalidRequestException("class not permitted here: class=" + type.getName());
    }
    out.tag(RecordField.tag(leaf.number(), leaf.codec().wireType()));
    leaf.codec().write(out, value);
  }

  @Override
  @Nullable Object readBody(MessageReader in) {
    Object value = null;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      Leaf leaf = byNumber.get(MessageReader.number(tag));
      if (leaf == null) {
        in.skip(tag);
      } else {
        value = leaf.codec().readAs(in, MessageReader.wireType(tag));
      }
    }
    return value;
  }
}
