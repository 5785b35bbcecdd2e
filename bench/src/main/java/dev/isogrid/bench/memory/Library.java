package dev.isogrid.bench.memory;

/** A map inside of a process, to be measured. */
interface Library {
  /** Puts an entry; copies or keeps the arrays as it always does. */
  void put(byte[] key, byte[] value);

  /** How many entries there are. */
  long count();

  /** What it says that its entries take. */
  default OwnCount ownCount() {
    return OwnCount.NONE;
  }
}
