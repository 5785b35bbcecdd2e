package dev.isogrid.mapreduce;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.ByteSink;
import dev.isogrid.store.Bytes;
import java.nio.ByteBuffer;

/** Shows stored bytes where they are, if they are in one piece of the heap. For one thread. */
final class BytesWindow implements ByteSink {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private ByteBuffer window = NOTHING;
  private int length;
  private byte[] copy = {};
  private int copied;

  ByteBuffer over(Bytes bytes) {
    begin(bytes.length());
    bytes.writeTo(this);
    return window;
  }

  ByteBuffer over(BinaryKey key) {
    begin(key.length());
    key.writeTo(this);
    return window;
  }

  private void begin(int ofLength) {
    length = ofLength;
    copied = 0;
    window = NOTHING;
  }

  @Override
  public void write(byte[] array, int offset, int count) {
    if (count == length) {
      window = ByteBuffer.wrap(array, offset, count).slice().asReadOnlyBuffer();
      return;
    }
    if (copied == 0) {
      copy = new byte[length];
    }
    System.arraycopy(array, offset, copy, copied, count);
    copied += count;
    if (copied == length) {
      window = ByteBuffer.wrap(copy).asReadOnlyBuffer();
    }
  }
}
