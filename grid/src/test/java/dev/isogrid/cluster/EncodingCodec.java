package dev.isogrid.cluster;

/** Writes messages of streams, as its subclass says, and counts them. Reads none. */
abstract class EncodingCodec implements MessageCodec {
  /** The number of messages that were begun. */
  int encoded;

  abstract void write(Message message, MessageWriter out);

  @Override
  public final void encode(Message message, MessageWriter out) {
    encoded++;
    write(message, out);
  }

  @Override
  public final boolean isStream(Message message) {
    return true;
  }

  @Override
  public final Message decode(byte[] array, int offset, int length) {
    throw new UnsupportedOperationException();
  }
}
