package dev.isogrid.store;

/** Takes bytes in pieces, in order. */
@FunctionalInterface
public interface ByteSink {
  /** Takes a piece. Borrows the array for the call. */
  void write(byte[] array, int offset, int length);
}
