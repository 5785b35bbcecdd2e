package dev.isogrid.types;

import org.jspecify.annotations.Nullable;

/** Values that are messages of their own. */
abstract class MessageCodec extends Codec {
  /** Writes the fields. */
  abstract void writeBody(MessageWriter out, Object value);

  /**
   * Reads the fields, to the reader's limit.
   *
   * @return as for {@link #read}
   */
  abstract @Nullable Object readBody(MessageReader in);

  @Override
  final int wireType() {
    return MessageWriter.DELIMITED;
  }

  @Override
  final void write(MessageWriter out, Object value) {
    int start = out.begin();
    writeBody(out, value);
    out.end(start);
  }

  @Override
  final @Nullable Object read(MessageReader in) {
    int outer = in.enter();
    @Nullable Object value = readBody(in);
    in.leave(outer);
    return value;
  }
}
