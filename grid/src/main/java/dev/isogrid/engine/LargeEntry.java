package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import dev.isogrid.store.ByteSink;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.PinnedBytes;

/**
 * An entry that is sent to a learner in parts, as it was when that began. Holds its memory until it
 * is closed. For one thread.
 */
final class LargeEntry implements AutoCloseable {
  /** Bytes of the value in a part: a few messages' worth, so that other messages come between. */
  private static final int PIECE_BYTES = 512 << 10;

  private final EntryKey key;
  private final DetachedEntry fields;
  private final PinnedBytes value;
  private int sent;

  /** Begins with the entry that a window shows. */
  LargeEntry(EntryKey key, EntryView<?, Bytes> view) {
    this.key = key;
    this.fields = DetachedEntry.withoutValue(view);
    this.value = view.value().pin();
  }

  /** Whether all of it was sent. */
  boolean isSent() {
    return sent == value.length();
  }

  /** The next part. */
  CopiedEntry next() {
    byte[] bytes = new byte[Math.min(PIECE_BYTES, value.length() - sent)];
    value.writeTo(sent, bytes.length, new Filling(bytes));
    EntryPiece piece = new EntryPiece(fields.withValue(ByteString.of(bytes)), sent, value.length());
    sent += bytes.length;
    return new CopiedEntry(key, piece, fields.sequence());
  }

  @Override
  public void close() {
    value.close();
  }

  /** Fills an array from its beginning. */
  private static final class Filling implements ByteSink {
    private final byte[] target;
    private int filled;

    Filling(byte[] target) {
      this.target = target;
    }

    @Override
    public void write(byte[] array, int offset, int length) {
      System.arraycopy(array, offset, target, filled, length);
      filled += length;
    }
  }
}
