package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CounterBoundException;
import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterEvent;
import dev.isogrid.api.CounterEvent.State;
import dev.isogrid.api.Counters;
import dev.isogrid.api.Grid;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StrongCounter;
import dev.isogrid.api.Subscription;
import dev.isogrid.api.WeakCounter;
import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counters of a node that is alone. */
class CountersTest {
  private final Grid grid = Grid.start();
  private final Counters counters = grid.counters();

  @AfterEach
  void close() {
    grid.close();
  }

  private StrongCounter strong(CounterConfig config) {
    assertTrue(counters.define("c", config));
    return counters.strong("c");
  }

  private StrongCounter bounded() {
    return strong(CounterConfig.boundedStrong(5, 0, 10));
  }

  private static boolean isUpper(Runnable operation) {
    return assertThrows(CounterBoundException.class, operation::run).isUpper();
  }

  // Definitions

  @Test
  void define_ofTakenName_changesNothing() {
    CounterConfig first = CounterConfig.strong(1);
    assertFalse(counters.isDefined("c"));
    assertNull(counters.configuration("c"));
    assertTrue(counters.define("c", first));
    assertFalse(counters.define("c", first));
    assertFalse(counters.define("c", CounterConfig.weak(2)));
    assertTrue(counters.isDefined("c"));
    assertEquals(first, counters.configuration("c"));
    assertEquals(1, counters.strong("c").value());
  }

  @Test
  void define_ofPersistentCounter_isRefused() {
    CounterConfig config = CounterConfig.strong(0).withStorage(CounterConfig.Storage.PERSISTENT);
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> counters.define("c", config));
    assertEquals(
        "counter can't be kept: name=c, storage=PERSISTENT; start the server with --data DIR, or"
            + " use VOLATILE",
        refusal.getMessage());
    assertFalse(counters.isDefined("c"));
  }

  @Test
  void define_ofBadNameOrConfiguration_isRefused() {
    CounterConfig config = CounterConfig.strong(0);
    assertThrows(InvalidRequestException.class, () -> counters.define("", config));
    assertThrows(InvalidRequestException.class, () -> counters.define("n".repeat(256), config));
    assertTrue(counters.define("\u20AC".repeat(255), config));
    assertFalse(counters.isDefined("n".repeat(256)));
    assertThrows(InvalidConfigurationException.class, () -> CounterConfig.boundedStrong(5, 6, 10));
    assertThrows(InvalidConfigurationException.class, () -> CounterConfig.boundedStrong(11, 6, 10));
    assertThrows(InvalidConfigurationException.class, () -> CounterConfig.boundedStrong(6, 6, 6));
    assertThrows(InvalidConfigurationException.class, () -> config.withConcurrency(0));
  }

  @Test
  void counter_ofOtherTypeOrUndefined_isRefused() {
    counters.define("s", CounterConfig.strong(0));
    counters.define("w", CounterConfig.weak(0));
    assertThrows(InvalidRequestException.class, () -> counters.weak("s"));
    assertThrows(InvalidRequestException.class, () -> counters.strong("w"));
    assertThrows(InvalidRequestException.class, () -> counters.strong("x"));
    assertFalse(counters.remove("x"));
    assertFalse(counters.undefine("x"));
  }

  @Test
  void names_withOneHash_areCountersOfTheirOwn() {
    List<String> names = List.of("AaAa", "BBBB", "AaBB", "BBAa");
    assertEquals(1, names.stream().map(String::hashCode).distinct().count());
    long number = 0;
    for (String name : names) {
      assertTrue(counters.define(name, CounterConfig.strong(number++)));
    }
    counters.strong("AaBB").addAndGet(100);
    assertEquals(Set.copyOf(names), counters.names());
    assertEquals(0, counters.strong("AaAa").value());
    assertEquals(102, counters.strong("AaBB").value());
    assertTrue(counters.undefine("AaAa"));
    assertEquals(Set.of("BBBB", "AaBB", "BBAa"), counters.names());
    assertEquals(3, counters.strong("BBAa").value());
    assertEquals(Set.of(), grid.cacheNames());
  }

  @Test
  void undefine_ofLastCounter_leavesNothing() {
    StrongCounter counter = strong(CounterConfig.strong(0));
    assertTrue(counters.undefine("c"));
    assertEquals(Set.of(), counters.names());
    assertThrows(InvalidRequestException.class, counter::value);
    assertThrows(InvalidRequestException.class, counter::incrementAndGet);
    assertThrows(InvalidRequestException.class, counter::reset);
    assertEquals(0, ((Node) grid).internalCache(InternalCaches.COUNTERS).size());
  }

  // Changes

  @Test
  void strongCounter_operations_answerTheValue() {
    StrongCounter counter = strong(CounterConfig.strong(5));
    assertEquals(6, counter.incrementAndGet());
    assertEquals(5, counter.decrementAndGet());
    assertEquals(-5, counter.addAndGet(-10));
    assertEquals(-5, counter.compareAndSwap(0, 3));
    assertEquals(-5, counter.compareAndSwap(-5, 3));
    assertFalse(counter.compareAndSet(-5, 4));
    assertTrue(counter.compareAndSet(3, 4));
    assertEquals(4, counter.getAndSet(9));
    assertEquals(9, counter.value());
    counter.reset();
    assertEquals(5, counter.value());
    counter.addAndGet(1);
    assertTrue(counters.remove("c"));
    assertEquals(5, counter.value());
  }

  @Test
  void asyncOperations_meanTheSame() throws Exception {
    StrongCounter counter = strong(CounterConfig.boundedStrong(5, 0, 10));
    assertEquals(6, counter.incrementAndGetAsync().get());
    assertEquals(5, counter.decrementAndGetAsync().get());
    assertEquals(5, counter.compareAndSwapAsync(5, 7).get());
    assertTrue(counter.compareAndSetAsync(7, 8).get());
    assertEquals(8, counter.getAndSetAsync(1).get());
    assertEquals(1, counter.valueAsync().get());
    counter.resetAsync().get();
    CompletableFuture<Long> beyond = counter.addAndGetAsync(100);
    assertTrue(beyond.isCompletedExceptionally());
    counters.define("w", CounterConfig.weak(1));
    WeakCounter weak = counters.weak("w");
    weak.incrementAsync().get();
    weak.addAsync(5).get();
    weak.decrementAsync().get();
    assertEquals(6, weak.valueAsync().get());
    weak.resetAsync().get();
    assertEquals(1, weak.value());
  }

  @Test
  void addition_overABound_goesToTheBound() {
    StrongCounter counter = bounded();
    assertTrue(isUpper(() -> counter.addAndGet(100)));
    assertEquals(10, counter.value());
    assertTrue(isUpper(counter::incrementAndGet));
    assertEquals(10, counter.value());
    assertEquals(0, counter.addAndGet(-10));
    assertFalse(isUpper(counter::decrementAndGet));
    assertEquals(0, counter.value());
    assertFalse(isUpper(() -> counter.addAndGet(Long.MIN_VALUE)));
    assertTrue(isUpper(() -> counter.addAndGet(Long.MAX_VALUE)));
    assertEquals(10, counter.value());
  }

  @Test
  void addition_beyondWhatALongHolds_staysWithinIt() {
    StrongCounter counter = strong(CounterConfig.strong(Long.MAX_VALUE - 1));
    assertEquals(Long.MAX_VALUE, counter.incrementAndGet());
    assertTrue(isUpper(counter::incrementAndGet));
    assertEquals(Long.MAX_VALUE, counter.value());
    counter.getAndSet(Long.MIN_VALUE);
    assertFalse(isUpper(() -> counter.addAndGet(Long.MIN_VALUE)));
    assertEquals(Long.MIN_VALUE, counter.value());
    assertEquals(-1, counter.addAndGet(Long.MAX_VALUE));
    counters.define("low", CounterConfig.boundedStrong(-5, Long.MIN_VALUE, -5));
    assertTrue(isUpper(() -> counters.strong("low").addAndGet(Long.MAX_VALUE)));
    assertEquals(-5, counters.strong("low").value());
  }

  @Test
  void value_outOfBounds_isNotSet() {
    StrongCounter counter = bounded();
    assertTrue(isUpper(() -> counter.getAndSet(11)));
    assertFalse(isUpper(() -> counter.compareAndSet(5, -1)));
    assertEquals(5, counter.value());
    assertEquals(5, counter.compareAndSwap(4, -1));
  }

  @Test
  void increments_ofManyThreads_areAllCounted() throws Exception {
    StrongCounter counter = strong(CounterConfig.strong(0));
    List<Long> answers = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() ->
                  LongStream.range(0, 500).forEach(_ -> answers.add(counter.incrementAndGet()))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(4000, counter.value());
    answers.sort(null);
    assertEquals(LongStream.rangeClosed(1, 4000).boxed().toList(), answers);
  }

  // Events

  @Test
  void listener_isToldOfEachChangeInOrder() throws Exception {
    StrongCounter counter = bounded();
    counters.define("other", CounterConfig.strong(0));
    List<CounterEvent> events = new CopyOnWriteArrayList<>();
    Subscription subscription = counter.addListener(events::add);
    counter.incrementAndGet();
    counters.strong("other").incrementAndGet();
    isUpper(() -> counter.addAndGet(100));
    isUpper(counter::incrementAndGet); // changes nothing
    counter.compareAndSet(10, 10);
    counters.remove("c");
    counter.getAndSet(0);
    isUpper(counter::decrementAndGet);
    counter.reset();
    List<CounterEvent> expected =
        List.of(
            new CounterEvent("c", 5, State.VALID, 6, State.VALID),
            new CounterEvent("c", 6, State.VALID, 10, State.UPPER_BOUND_REACHED),
            new CounterEvent("c", 10, State.UPPER_BOUND_REACHED, 10, State.VALID),
            new CounterEvent("c", 5, State.VALID, 0, State.VALID),
            new CounterEvent("c", 0, State.VALID, 0, State.LOWER_BOUND_REACHED),
            new CounterEvent("c", 0, State.LOWER_BOUND_REACHED, 5, State.VALID));
    Await.until("events", () -> events.size() == expected.size());
    assertEquals(expected, events);
    subscription.close();
    counter.incrementAndGet();
    assertEquals(expected, events);
  }

  @Test
  void listener_thatThrows_isToldOfTheNextChange() throws Exception {
    StrongCounter counter = bounded();
    List<CounterEvent> events = new CopyOnWriteArrayList<>();
    Subscription subscription =
        counter.addListener(event -> {
          events.add(event);
          throw new IllegalStateException("on purpose");
        });
    counter.incrementAndGet();
    counter.incrementAndGet();
    Await.until("events", () -> events.size() == 2);
    assertNotNull(subscription);
  }
}
