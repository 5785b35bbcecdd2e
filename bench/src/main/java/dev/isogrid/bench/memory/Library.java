package dev.isogrid.bench.memory;

/** A map inside of a process, to be measured. */
interface Library {
  /** Puts an entry; copies or keeps the arrays as it always does. */
  void put(byte[] key, byte[] value);

  /** The number of entries. */
  long count();

  /** The size of its entries by its own count. */
  default OwnCount ownCount() {
    return OwnCount.NONE;
  }
}
