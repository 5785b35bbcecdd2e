package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.store.BinaryKey;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which thread runs a function for which key. */
@Timeout(60)
class FlightsTest {
  private final FlightWaits waits = new FlightWaits();
  private final Flights flights = new Flights("c", waits);
  private final ExecutorService other = Executors.newSingleThreadExecutor();

  @AfterEach
  void close() {
    other.shutdownNow();
  }

  private <T extends @Nullable Object> T elsewhere(Callable<T> call) throws Exception {
    return other.submit(call).get();
  }

  private static Flight begun(Flights flights, Object key) {
    return requireNonNull(flights.tryBegin(key, key));
  }

  @Test
  void key_belongsToOneThread_untilTheFlightEnds() throws Exception {
    Flight flight = begun(flights, "k");
    assertNull(elsewhere(() -> flights.tryBegin("k", "k")));
    assertTrue(elsewhere(() -> flights.isTaken("k")));
    assertFalse(flights.isTaken("k"));
    assertEquals(flight, flights.of("k"));
    flights.end(flight);
    flights.end(flight);
    assertTrue(flights.isEmpty());
    assertTrue(flight.isEnded());
    assertNotNull(elsewhere(() -> flights.tryBegin("k", "k")));
  }

  @Test
  void keysOfBytes_areComparedByContent() {
    Flight flight = begun(flights, BinaryKey.of(new byte[] {1, 2}));
    assertEquals(flight, flights.of(BinaryKey.of(new byte[] {1, 2})));
    assertNull(flights.of(BinaryKey.of(new byte[] {1, 3})));
  }

  @Test
  void ownKey_isRefused_untilTheFunctionHasEnded() {
    Flight outer = begun(flights, "outer");
    Flight inner = begun(flights, "inner");
    assertThrows(IllegalStateException.class, () -> flights.refuseRecursion("outer"));
    assertThrows(IllegalStateException.class, () -> flights.tryBegin("inner", "inner"));
    flights.refuseRecursion("another");
    inner.storing(true);
    flights.refuseRecursion("inner");
    flights.end(inner);
    String refusal =
        String.valueOf(assertThrows(IllegalStateException.class, flights::refuseAll).getMessage());
    assertTrue(refusal.startsWith("recursive update: cache=c, key=outer;"), refusal);
    flights.end(outer);
    flights.refuseAll();
  }

  @Test
  void flightAside_keepsNobodyWaiting() throws Exception {
    Flight aside = flights.beginAside("k", "k");
    assertThrows(IllegalStateException.class, () -> flights.refuseRecursion("k"));
    assertNotNull(elsewhere(() -> flights.tryBegin("k", "k")));
    flights.end(aside);
    flights.refuseRecursion("k");
    assertTrue(flights.isTaken("k"));
  }

  @Test
  void await_thatLastsTooLong_namesBothKeys() throws Exception {
    Flight wanted = elsewhere(() -> begun(flights, "wanted"));
    begun(flights, "mine");
    String refusal =
        String.valueOf(
            assertThrows(RetryableGridException.class, () -> flights.await(wanted, 1))
                .getMessage());
    assertTrue(refusal.contains("key=wanted, waited=1 ms"), refusal);
    assertTrue(refusal.contains("meanwhile held: cache=c, key=mine"), refusal);
  }

  @Test
  void await_ofAThreadThatWaitsForThisOne_isRefusedAtOnce() throws Exception {
    Flights second = new Flights("d", waits);
    Flight mine = begun(flights, "mine");
    Flight theirs = elsewhere(() -> begun(second, "theirs"));
    Thread waiter = elsewhere(Thread::currentThread);
    CountDownLatch begun = new CountDownLatch(1);
    var waiting =
        other.submit(() -> {
          begun.countDown();
          flights.await(mine, Long.MAX_VALUE);
        });
    begun.await();
    while (waiter.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    String refusal =
        String.valueOf(
            assertThrows(RetryableGridException.class, () -> second.await(theirs, Long.MAX_VALUE))
                .getMessage());
    assertTrue(refusal.contains("cache=c, key=mine"), refusal);
    assertTrue(refusal.contains("cache=d, key=theirs"), refusal);
    flights.end(mine);
    waiting.get();
  }

  @Test
  void close_wakesThreadsThatWait() throws Exception {
    Flight flight = begun(flights, "k");
    var waiting = other.submit(() -> flights.await(flight, Long.MAX_VALUE));
    flights.close();
    waiting.get();
    flights.await(flight, Long.MAX_VALUE);
  }

  @Test
  void tooManyFlights_areRefused() {
    Flights few = new Flights("c", waits, 2);
    begun(few, "a");
    Flight second = begun(few, "b");
    String refusal =
        String.valueOf(
            assertThrows(RetryableGridException.class, () -> few.tryBegin("c", "c")).getMessage());
    assertTrue(refusal.contains("cache=c, limit=2"), refusal);
    assertThrows(RetryableGridException.class, () -> few.beginAside("c", "c"));
    few.end(second);
    begun(few, "c");
  }
}
