package dev.isogrid.engine;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.store.BinaryKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The functions of users that run for keys of one cache on this node: at most one per key, each
 * with the thread that runs it. Thread-safe; holds no lock while a function runs.
 */
final class Flights {
  /*
   * A flight is in two tables: by its key, so that other threads wait for it, and by its thread, so
   * that a write from within the function is told from one by others. Both entries are made by
   * the thread that runs the function, and removed by it before waiting threads are woken; so a
   * thread that was woken finds the key free, or taken by another one. Whether a flight begins
   * before or after a write of the same key is decided by the lock of the key's segment, which
   * callers hold for tryBegin and isTaken where that matters. The count is raised before a flight
   * is in a table and lowered after: a writer that finds 0 has no flight to mind.
   */
  /**
   * Flights at a time: each is a thread, and holds some 300 bytes beside its key. More come from
   * threads that are made without a bound.
   */
  static final int FLIGHTS_MAX = 65_536;

  private final String cache;
  private final FlightWaits waits;
  private final AtomicInteger count = new AtomicInteger();
  private final Map<Object, Flight> byKey = new ConcurrentHashMap<>();

  /** By thread and key, in the order in which they began; each inner map is its thread's only. */
  private final Map<Thread, LinkedHashMap<Object, Flight>> byThread = new ConcurrentHashMap<>();

  private final int flightsMax;

  private volatile boolean isClosed;

  /**
   * Begins without flights.
   *
   * @param waits shared by the caches whose functions may wait for each other
   */
  Flights(String cache, FlightWaits waits) {
    this(cache, waits, FLIGHTS_MAX);
  }

  Flights(String cache, FlightWaits waits, int flightsMax) {
    this.cache = cache;
    this.waits = waits;
    this.flightsMax = flightsMax;
  }

  /** What is equal for equal keys of a container, and stays as it is. */
  static Object identity(Object key) {
    return key instanceof BinaryKey binary ? ByteString.of(binary.toByteArray()) : key;
  }

  /** Returns whether no function runs. */
  boolean isEmpty() {
    return count.get() == 0;
  }

  /**
   * Begins a flight of this thread.
   *
   * @param key the container's
   * @param userKey the key as its user knows it, for messages
   * @return the flight, which the caller ends; null if another thread has one for the key
   * @throws IllegalStateException if this thread has one for the key
   * @throws RetryableGridException if there are too many flights
   */
  @Nullable Flight tryBegin(Object key, Object userKey) {
    Flight flight = new Flight(cache, identity(key), userKey);
    checkNotMine(flight.identity());
    countOne();
    if (byKey.putIfAbsent(flight.identity(), flight) != null) {
      count.decrementAndGet();
      return null;
    }
    addOwn(flight);
    return flight;
  }

  /**
   * Begins a flight that others don't wait for, as if it had no key: only this thread is kept from
   * writing the key.
   */
  Flight beginAside(Object key, Object userKey) {
    Flight flight = new Flight(cache, identity(key), userKey);
    checkNotMine(flight.identity());
    countOne();
    addOwn(flight);
    return flight;
  }

  private void addOwn(Flight flight) {
    byThread
        .computeIfAbsent(Thread.currentThread(), _ -> new LinkedHashMap<>())
        .put(flight.identity(), flight);
  }

  private void countOne() {
    if (count.incrementAndGet() > flightsMax) {
      count.decrementAndGet();
      throw new RetryableGridException(
          "too many functions at a time: cache=%s, limit=%d; try again when some have ended"
              .formatted(cache, flightsMax));
    }
  }

  /** Ends a flight of this thread. Ending it twice is harmless. */
  void end(Flight flight) {
    Map<Object, Flight> own = byThread.get(flight.owner());
    if (own == null || !own.remove(flight.identity(), flight)) {
      return;
    }
    if (own.isEmpty()) {
      byThread.remove(flight.owner());
    }
    byKey.remove(flight.identity(), flight);
    count.decrementAndGet();
    flight.end();
  }

  /** The flight of a key, or null. */
  @Nullable Flight of(Object key) {
    return isEmpty() ? null : byKey.get(identity(key));
  }

  /** Returns whether another thread has a flight for a key. */
  boolean isTaken(Object key) {
    Flight flight = of(key);
    return flight != null && !flight.isMine();
  }

  /**
   * Refuses a write of a key by a function that runs for it.
   *
   * @throws IllegalStateException if this thread runs one
   */
  void refuseRecursion(Object key) {
    if (!isEmpty() && byThread.containsKey(Thread.currentThread())) {
      checkNotMine(identity(key));
    }
  }

  private void checkNotMine(Object identity) {
    Map<Object, Flight> own = byThread.get(Thread.currentThread());
    Flight flight = own == null ? null : own.get(identity);
    if (flight != null && !flight.isStoring()) {
      throw recursion(flight);
    }
  }

  /**
   * Refuses a change of all keys by a function.
   *
   * @throws IllegalStateException if this thread runs one
   */
  void refuseAll() {
    LinkedHashMap<Object, Flight> own = byThread.get(Thread.currentThread());
    if (own != null) {
      throw recursion(own.lastEntry().getValue());
    }
  }

  private static IllegalStateException recursion(Flight flight) {
    return new IllegalStateException(
        "recursive update: %s; a function must not write the key that it runs for, return the"
                .formatted(flight)
            + " new value instead");
  }

  /**
   * Waits until another thread's flight ends, or the cache is closed.
   *
   * @param timeoutMillis how long at most; {@link Long#MAX_VALUE} for any time
   * @throws RetryableGridException if it does not end in time, waits for this thread itself, or
   *     this thread is interrupted
   */
  void await(Flight flight, long timeoutMillis) {
    if (isClosed) {
      return;
    }
    waits.begin(flight);
    try {
      if (!flight.await(timeoutMillis)) {
        throw new RetryableGridException(
            "function of another thread has not ended in time: %s, waited=%d ms, thread=%s%s; try"
                    .formatted(flight, timeoutMillis, flight.owner().getName(), held(flight))
                + " again");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RetryableGridException(
          "interrupted while another thread's function ran: %s; try again".formatted(flight), e);
    } finally {
      waits.end();
    }
  }

  /** The flight that this thread has beside one that it waits for or begins, for messages. */
  String held(Flight wanted) {
    Map<Object, Flight> own = byThread.get(Thread.currentThread());
    if (own == null) {
      return "";
    }
    for (Flight each : own.values()) {
      if (!each.equals(wanted)) {
        return ", meanwhile held: " + each;
      }
    }
    return "";
  }

  /** Wakes all threads that wait. Functions go on, and what they want is refused by the cache. */
  void close() {
    isClosed = true;
    byKey.values().forEach(Flight::end);
  }
}
