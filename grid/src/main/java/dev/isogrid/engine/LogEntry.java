package dev.isogrid.engine;

import org.jspecify.annotations.Nullable;

/**
 * A write in the order of its segment: the effect, not the command.
 *
 * @param seq its place in the order, over all epochs, from 1
 * @param key the key; one that is no {@link ScopedKey} stands also for all keys whose scope it is
 * @param changes false if it only records that an operation was done
 * @param value the new value, or null for a removal
 * @param id the operation
 * @param ackedUpTo the operations of the session up to this number are done with
 * @param result the operation's answer
 */
public record LogEntry(
    long seq,
    Object key,
    boolean changes,
    @Nullable Object value,
    OperationId id,
    long ackedUpTo,
    @Nullable Object result) {
  /** What is counted for the parts that each entry has. */
  private static final int FIXED_BYTES = 64;

  /** About the bytes that it takes in a message. */
  long sizeBytes() {
    return (long) FIXED_BYTES + Sized.of(key) + Sized.of(value) + Sized.of(result);
  }
}
