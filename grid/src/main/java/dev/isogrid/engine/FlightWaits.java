package dev.isogrid.engine;

import dev.isogrid.api.RetryableGridException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a node that wait for functions of other threads. A thread that would close a
 * circle of waiting threads is refused, so no circle ever exists. Thread-safe.
 */
public final class FlightWaits {
  private final ReentrantLock lock = new ReentrantLock();

  /** The flight that each thread waits for. Guarded by the lock. */
  private final Map<Thread, Flight> waiting = new HashMap<>();

  /**
   * Notes that this thread waits for a flight.
   *
   * @throws RetryableGridException if the flight's thread waits for this one, maybe by way of
   *     others
   */
  void begin(Flight wanted) {
    lock.lock();
    try {
      for (Flight next = wanted; next != null; next = next(next)) {
        if (next.isMine()) {
          throw new RetryableGridException(
              "functions wait for each other: this thread's is for %s, wanted is %s; take keys in"
                      .formatted(next, wanted)
                  + " the same order everywhere, or try again");
        }
      }
      waiting.put(Thread.currentThread(), wanted);
    } finally {
      lock.unlock();
    }
  }

  /** The flight that the thread of a flight waits for; null if there is none, or it is over. */
  private @Nullable Flight next(Flight flight) {
    Flight next = waiting.get(flight.owner());
    return next == null || next.isEnded() ? null : next;
  }

  /** Notes that this thread waits no more. */
  void end() {
    lock.lock();
    try {
      waiting.remove(Thread.currentThread());
    } finally {
      lock.unlock();
    }
  }
}
