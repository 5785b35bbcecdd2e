package dev.isogrid.types;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Entries of a map: messages with a key and a value. */
final class EntryCodec extends MessageCodec {
  private static final int KEY = 1;
  private static final int VALUE = 2;

  private final Codec key;
  private final Codec value;

  EntryCodec(Codec key, Codec value) {
    this.key = key;
    this.value = value;
  }

  /** Whether these can be a pair: only wrapped ones can be null. */
  boolean accepts(@Nullable Object aKey, @Nullable Object aValue) {
    return (aKey != null || key instanceof WrappedCodec)
        && (aValue != null || value instanceof WrappedCodec);
  }

  @Override
  void writeBody(MessageWriter out, Object entry) {
    Map.Entry<?, ?> pair = (Map.Entry<?, ?>) entry;
    write(out, KEY, key, pair.getKey());
    write(out, VALUE, value, pair.getValue());
  }

  private static void write(MessageWriter out, int number, Codec codec, @Nullable Object part) {
    if (part != null) {
      out.tag(RecordField.tag(number, codec.wireType()));
      codec.write(out, part);
    }
  }

  @Override
  Object readBody(MessageReader in) {
    throw new UnsupportedOperationException("use readPair");
  }

  /** Reads key and value; null for one that is null or of a newer version. */
  @Nullable Object[] readPair(MessageReader in) {
    @Nullable Object[] pair = {key.zero(), value.zero()};
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      switch (MessageReader.number(tag)) {
        case KEY -> pair[0] = key.readAs(in, MessageReader.wireType(tag));
        case VALUE -> pair[1] = value.readAs(in, MessageReader.wireType(tag));
        default -> in.skip(tag);
      }
    }
    return pair;
  }
}
