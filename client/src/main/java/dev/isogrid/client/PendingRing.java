package dev.isogrid.client;

import org.jspecify.annotations.Nullable;

/**
 * The operations that wait for an answer on one connection, by message id. The id's lower bits are
 * the place, and ids whose place is taken are skipped. So one probe finds any operation, in any
 * order of answers. For one thread; allocates nothing.
 */
final class PendingRing {
  /** Ids stay below this, so that they take 4 bytes at most. */
  private static final int ID_MASK = (1 << 28) - 1;

  private final @Nullable Operation<?>[] places;
  private int nextId;
  private int count;

  /**
   * Creates one.
   *
   * @param operationsMax that are to fit; room is for twice as many
   */
  PendingRing(int operationsMax) {
    places = new Operation<?>[Integer.highestOneBit(Math.max(operationsMax, 8) * 2 - 1) * 2];
  }

  /** Whether another one can't be added; it can be half full at most so that skips are short. */
  boolean isFull() {
    return count >= places.length / 2;
  }

  int count() {
    return count;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Adds an operation and sets its id. */
  void add(Operation<?> operation) {
    int id = nextId;
    while (places[id & (places.length - 1)] != null) {
      id = (id + 1) & ID_MASK;
    }
    places[id & (places.length - 1)] = operation;
    operation.messageId = id;
    nextId = (id + 1) & ID_MASK;
    count++;
  }

  /** The operation of an id, or null. */
  @Nullable Operation<?> find(long id) {
    Operation<?> operation = places[(int) (id & (places.length - 1))];
    return operation != null && operation.messageId == id ? operation : null;
  }

  /** Takes an operation out. */
  void remove(Operation<?> operation) {
    places[operation.messageId & (places.length - 1)] = null;
    count--;
  }

  /**
   * Fails the operations whose deadline has passed; they stay in the ring, since their answers may
   * still arrive.
   */
  void expire(long nowNanos, EventLoop loop) {
    if (count == 0) {
      return;
    }
    for (Operation<?> operation : places) {
      if (operation != null && nowNanos - operation.deadlineNanos > 0 && !operation.isDone()) {
        loop.fail(operation, operation.timeout());
      }
    }
  }

  /** Takes all out, as a list by {@link Operation#next}. */
  @Nullable Operation<?> drain() {
    Operation<?> list = null;
    for (int i = 0; i < places.length; i++) {
      Operation<?> operation = places[i];
      if (operation != null) {
        operation.next = list;
        list = operation;
        places[i] = null;
      }
    }
    count = 0;
    return list;
  }
}
