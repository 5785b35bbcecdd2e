package dev.isogrid.engine;

import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.IncomingValue;
import java.nio.ByteBuffer;

/**
 * An entry that a learner is being sent in parts. Its memory is that of the cache until it is
 * closed. For one thread.
 */
final class IncomingEntry implements AutoCloseable {
  private final EntryKey key;
  private final long seq;
  private final DetachedEntry fields;
  private final IncomingValue value;

  /**
   * Begins with nothing of the value.
   *
   * @param fields the entry, whose value is not looked at
   * @param value where the parts go; closed with this
   */
  IncomingEntry(EntryKey key, long seq, DetachedEntry fields, IncomingValue value) {
    this.key = key;
    this.seq = seq;
    this.fields = fields;
    this.value = value;
  }

  /** Whether a part comes next. */
  boolean isNext(EntryKey ofKey, long ofSeq, EntryPiece piece) {
    return key.equals(ofKey) && seq == ofSeq && piece.offset() == value.length();
  }

  /** Takes the next part. */
  void add(EntryPiece piece) {
    value.append(ByteBuffer.wrap(piece.entry().value().toByteArray()));
    if (piece.isLast()) {
      value.complete();
    }
  }

  /** The entry but for its value. */
  DetachedEntry fields() {
    return fields;
  }

  /** The part of the value that has arrived. */
  IncomingValue value() {
    return value;
  }

  @Override
  public void close() {
    value.close();
  }
}
