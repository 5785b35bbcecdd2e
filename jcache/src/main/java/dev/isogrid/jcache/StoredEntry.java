package dev.isogrid.jcache;

/**
 * An entry as it was read.
 *
 * @param value the value; the reader's own copy if the cache stores by value
 * @param version the version that conditional writes compare
 * @param createdMillis when it was written, since 1970
 * @param lifespanMillis how long it lives after that, or -1 for ever
 */
record StoredEntry<V>(V value, long version, long createdMillis, long lifespanMillis) {
  /** Whether it lives for ever. */
  boolean isEternal() {
    return lifespanMillis < 0;
  }

  /** When its life ends, in milliseconds since 1970. Not for one that lives for ever. */
  long endMillis() {
    long end = createdMillis + lifespanMillis;
    return end < 0 ? Long.MAX_VALUE : end;
  }
}
