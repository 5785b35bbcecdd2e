package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.infinispan.client.hotrod.ProtocolVersion;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.RemoteCounterManagerFactory;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.multimap.MetadataCollection;
import org.infinispan.client.hotrod.multimap.RemoteMultimapCache;
import org.infinispan.client.hotrod.multimap.RemoteMultimapCacheManagerFactory;
import org.infinispan.counter.api.CounterConfiguration;
import org.infinispan.counter.api.CounterEvent;
import org.infinispan.counter.api.CounterManager;
import org.infinispan.counter.api.CounterState;
import org.infinispan.counter.api.CounterType;
import org.infinispan.counter.api.Handle;
import org.infinispan.counter.api.Storage;
import org.infinispan.counter.api.StrongCounter;
import org.infinispan.counter.api.SyncStrongCounter;
import org.infinispan.counter.api.SyncWeakCounter;
import org.infinispan.counter.exception.CounterOutOfBoundsException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counters and multimaps of the official Hot Rod client for Java on one server. */
@Tag("interop")
@Tag("deep")
class CountersAndMultimapsTest {
  private static ServerProcess server;
  private static RemoteCacheManager manager;
  private static CounterManager counters;

  @BeforeAll
  static void start() {
    server = ServerProcess.start();
    manager = new RemoteCacheManager(builder().build());
    counters = RemoteCounterManagerFactory.asCounterManager(manager);
  }

  private static ConfigurationBuilder builder() {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(server.port());
    return builder;
  }

  @AfterAll
  static void stop() {
    manager.close();
    server.close();
  }

  private static CounterConfiguration bounded() {
    return CounterConfiguration.builder(CounterType.BOUNDED_STRONG)
        .initialValue(5)
        .lowerBound(0)
        .upperBound(10)
        .build();
  }

  private static CounterConfiguration weak() {
    return CounterConfiguration.builder(CounterType.WEAK)
        .initialValue(1)
        .concurrencyLevel(4)
        .build();
  }

  @Test
  void definitions_comeBackAsTheyWereGiven() {
    assertFalse(counters.isDefined("d"));
    assertNull(counters.getConfiguration("d"));
    assertTrue(counters.defineCounter("d", bounded()));
    assertFalse(counters.defineCounter("d", weak()));
    assertTrue(counters.isDefined("d"));
    assertEquals(bounded(), counters.getConfiguration("d"));
    assertTrue(counters.defineCounter("dw", weak()));
    assertEquals(weak(), counters.getConfiguration("dw"));
    Collection<String> names = counters.getCounterNames();
    assertTrue(names.containsAll(Set.of("d", "dw")), names::toString);
    CounterConfiguration persistent =
        CounterConfiguration.builder(CounterType.UNBOUNDED_STRONG)
            .storage(Storage.PERSISTENT)
            .build();
    RuntimeException refusal =
        assertThrows(RuntimeException.class, () -> counters.defineCounter("dp", persistent));
    assertTrue(String.valueOf(refusal.getMessage()).contains("--data"), refusal::toString);
  }

  @Test
  void strongCounter_operations_answerItsValue() {
    counters.defineCounter("s", bounded());
    SyncStrongCounter counter = counters.getStrongCounter("s").sync();
    assertEquals(6, counter.incrementAndGet());
    assertEquals(5, counter.decrementAndGet());
    assertEquals(7, counter.addAndGet(2));
    assertTrue(counter.compareAndSet(7, 8));
    assertFalse(counter.compareAndSet(7, 9));
    assertEquals(8, counter.compareAndSwap(7, 9));
    assertEquals(8, counter.getAndSet(9));
    assertEquals(9, counter.getValue());
    assertOutOfBounds(() -> counter.addAndGet(100));
    assertEquals(10, counter.getValue());
    assertOutOfBounds(() -> counter.getAndSet(11));
    assertOutOfBounds(() -> counter.addAndGet(-100));
    assertEquals(0, counter.getValue());
    counter.reset();
    assertEquals(5, counter.getValue());
    counter.incrementAndGet();
    counters.remove("s");
    assertEquals(5, counters.getStrongCounter("s").sync().getValue());
  }

  /** The client's blocking methods wrap their exceptions. */
  private static void assertOutOfBounds(Executable operation) {
    Throwable failure = assertThrows(RuntimeException.class, operation);
    while (failure.getCause() != null) {
      failure = failure.getCause();
    }
    assertInstanceOf(CounterOutOfBoundsException.class, failure);
  }

  @Test
  void weakCounter_operations_areAllCounted() {
    counters.defineCounter("w", weak());
    SyncWeakCounter counter = counters.getWeakCounter("w").sync();
    counter.increment();
    counter.add(10);
    counter.decrement();
    assertEquals(11, counter.getValue());
    counter.reset();
    assertEquals(1, counter.getValue());
  }

  @Test
  void increments_sentAtOnce_answerEachNumberOnce() {
    counters.defineCounter(
        "many", CounterConfiguration.builder(CounterType.UNBOUNDED_STRONG).build());
    StrongCounter counter = counters.getStrongCounter("many");
    List<CompletableFuture<Long>> answers = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      answers.add(counter.incrementAndGet());
    }
    Set<Long> numbers = new HashSet<>();
    answers.forEach(answer -> numbers.add(answer.join()));
    assertEquals(1_000, numbers.size());
    assertEquals(1_000, counter.sync().getValue());
  }

  @Test
  void listener_isToldOfEachChange() throws InterruptedException {
    counters.defineCounter("l", bounded());
    StrongCounter counter = counters.getStrongCounter("l");
    BlockingQueue<CounterEvent> events = new LinkedBlockingQueue<>();
    BlockingQueue<CounterEvent> others = new LinkedBlockingQueue<>();
    Handle<?> handle = counter.addListener(events::add);
    Handle<?> other = counter.addListener(others::add);
    counter.incrementAndGet().join();
    assertThrows(CompletionException.class, () -> counter.addAndGet(100).join());
    counter.reset().join();
    assertEvent(events, 5, CounterState.VALID, 6, CounterState.VALID);
    assertEvent(events, 6, CounterState.VALID, 10, CounterState.UPPER_BOUND_REACHED);
    assertEvent(events, 10, CounterState.UPPER_BOUND_REACHED, 5, CounterState.VALID);
    assertEvent(others, 5, CounterState.VALID, 6, CounterState.VALID);
    handle.remove();
    other.remove();
    counter.incrementAndGet().join();
    Handle<?> again = counter.addListener(events::add);
    counter.incrementAndGet().join();
    assertEvent(events, 6, CounterState.VALID, 7, CounterState.VALID);
    again.remove();
  }

  // tidy: the fields of an event
  private static void assertEvent(
      BlockingQueue<CounterEvent> events,
      long oldValue,
      CounterState oldState,
      long newValue,
      CounterState newState)
      throws InterruptedException {
    CounterEvent event = events.poll(120, TimeUnit.SECONDS);
    assertEquals(oldValue, event.getOldValue());
    assertEquals(oldState, event.getOldState());
    assertEquals(newValue, event.getNewValue());
    assertEquals(newState, event.getNewState());
  }

  @ParameterizedTest
  @EnumSource(
      value = ProtocolVersion.class,
      names = {"PROTOCOL_VERSION_30", "PROTOCOL_VERSION_31", "PROTOCOL_VERSION_40"})
  void olderVersions_haveCountersAndMultimaps(ProtocolVersion version) {
    try (RemoteCacheManager old = new RemoteCacheManager(builder().version(version).build())) {
      CounterManager oldCounters = RemoteCounterManagerFactory.asCounterManager(old);
      oldCounters.defineCounter("v" + version, bounded());
      assertEquals(6, oldCounters.getStrongCounter("v" + version).sync().incrementAndGet());
      RemoteMultimapCache<String, String> map = multimap(old, false);
      map.put("v" + version, "1").join();
      map.put("v" + version, "1").join();
      assertEquals(List.of("1"), List.copyOf(map.get("v" + version).join()));
    }
  }

  private static RemoteMultimapCache<String, String> multimap(
      RemoteCacheManager used, boolean supportsDuplicates) {
    return RemoteMultimapCacheManagerFactory.<String, String>from(used)
        .get("default", supportsDuplicates);
  }

  @Test
  void multimap_withoutDuplicates_isASetOfValues() {
    RemoteMultimapCache<String, String> map = multimap(manager, false);
    long before = map.size().join();
    map.put("m", "1").join();
    map.put("m", "2").join();
    map.put("m", "1").join();
    assertEquals(Set.of("1", "2"), Set.copyOf(map.get("m").join()));
    assertEquals(2, map.get("m").join().size());
    assertTrue(map.get("mx").join().isEmpty());
    MetadataCollection<String> withMetadata = map.getWithMetadata("m").join();
    assertEquals(Set.of("1", "2"), Set.copyOf(withMetadata.getCollection()));
    assertTrue(map.containsKey("m").join());
    assertTrue(map.containsEntry("m", "1").join());
    assertFalse(map.containsEntry("m", "3").join());
    assertTrue(map.containsValue("2").join());
    assertFalse(map.containsValue("nowhere").join());
    assertEquals(before + 2, map.size().join());
    assertTrue(map.remove("m", "1").join());
    assertFalse(map.remove("m", "1").join());
    assertTrue(map.remove("m").join());
    assertFalse(map.remove("m").join());
    assertFalse(map.containsKey("m").join());
    assertEquals(before, map.size().join());
  }

  @Test
  void multimap_withDuplicates_isAList_andCanBeSeenAsASet() {
    RemoteMultimapCache<String, String> list = multimap(manager, true);
    list.put("d", "1").join();
    list.put("d", "2").join();
    list.put("d", "1").join();
    assertEquals(List.of("1", "2", "1"), List.copyOf(list.get("d").join()));
    assertEquals(3, list.getWithMetadata("d").join().getCollection().size());
    RemoteMultimapCache<String, String> set = multimap(manager, false);
    assertEquals(Set.of("1", "2"), Set.copyOf(set.get("d").join()));
    assertTrue(list.remove("d", "1").join());
    assertEquals(List.of("2"), List.copyOf(list.get("d").join()));
    assertTrue(list.remove("d").join());
  }
}
