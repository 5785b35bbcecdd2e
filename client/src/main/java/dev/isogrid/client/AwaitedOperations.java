package dev.isogrid.client;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The operations that were sent and whose threads wait and can watch. For the turn. */
final class AwaitedOperations {
  private static final int COUNT_FIRST = 16;

  /** Each knows its place by {@link Operation#awaitedIndex}. */
  private @Nullable Operation<?>[] places = new Operation<?>[COUNT_FIRST];

  private int count;

  int count() {
    return count;
  }

  void add(Operation<?> operation) {
    if (count == places.length) {
      places = Arrays.copyOf(places, 2 * count);
    }
    operation.awaitedIndex = count;
    places[count++] = operation;
  }

  /** Takes an operation out; the last one gets its place. */
  void remove(Operation<?> operation) {
    count--;
    Operation<?> last = places[count];
    places[count] = null;
    if (last != null && !last.equals(operation)) {
      places[operation.awaitedIndex] = last;
      last.awaitedIndex = operation.awaitedIndex;
    }
    operation.awaitedIndex = -1;
  }

  /** The one that was added last, which is likely to wait longest, or null. */
  @Nullable Operation<?> newest() {
    return count == 0 ? null : places[count - 1];
  }
}
