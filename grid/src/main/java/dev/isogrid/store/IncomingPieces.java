package dev.isogrid.store;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A value that comes in chunks, off the heap. */
final class IncomingPieces extends IncomingValue {
  private final ValuePieces pieces;

  IncomingPieces(PagePool pool, AtomicLong reservedOfAll) {
    super(reservedOfAll);
    this.pieces = new ValuePieces(pool);
  }

  /** What an entry takes over instead of copying the value; null if it is to be copied. */
  @Nullable ValuePieces pieces() {
    return pieces.isMany() ? pieces : null;
  }

  @Override
  void doAppend(ByteBuffer chunk) {
    pieces.append(chunk);
  }

  @Override
  void trim() {
    pieces.trim();
  }

  @Override
  long reservedBytes() {
    return pieces.allocatedBytes();
  }

  @Override
  void free() {
    pieces.letGo();
  }

  @Override
  public int length() {
    return pieces.length();
  }

  @Override
  public void copyTo(byte[] target, int offset) {
    pieces.copyTo(target, offset);
  }

  @Override
  public void copyTo(MemorySegment target, long offset) {
    pieces.copyTo(target, offset);
  }

  @Override
  public void writeTo(ByteSink sink) {
    pieces.writeTo(sink);
  }
}
