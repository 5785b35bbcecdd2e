package dev.isogrid.engine;

import java.util.Map;
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
  /** The size that is counted for the parts that each entry has. */
  private static final int FIXED_BYTES = 64;

  /** The value that it gives to a key that it changes, or null. */
  @Nullable Object value(Object ofKey) {
    return value instanceof ManyValues many ? many.value(ofKey) : value;
  }

  /** The same with one of the keys only: what must not be. For tests of the rule. */
  LogEntry ofOneKey() {
    if (!(value instanceof ManyValues many)) {
      return this;
    }
    Map.Entry<Object, Object> first = many.byKey().entrySet().iterator().next();
    ManyValues one = new ManyValues(Map.of(first.getKey(), first.getValue()));
    return new LogEntry(seq, key, changes, one, id, ackedUpTo, result);
  }

  /** About the bytes that it takes in a message. */
  long sizeBytes() {
    return (long) FIXED_BYTES + Sized.of(key) + Sized.of(value) + Sized.of(result);
  }
}
