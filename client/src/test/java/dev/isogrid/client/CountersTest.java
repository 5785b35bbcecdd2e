package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.client.CounterConfiguration.CounterType;
import dev.isogrid.client.CounterEvent.CounterState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Counters, against a real server. */
class CountersTest {
  private static TestServer server;

  private RemoteCacheManager manager;
  private RemoteCounterManager counters;

  @BeforeAll
  static void startServer() {
    server = new TestServer();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void connect() {
    manager = new RemoteCacheManager(server.client().operationTimeoutMillis(20_000).build());
    counters = manager.counters();
  }

  @AfterEach
  void disconnect() {
    manager.close();
  }

  private RemoteStrongCounter.Sync strong(String name, CounterConfiguration configuration) {
    assertTrue(counters.defineCounter(name, configuration));
    return counters.getStrongCounter(name).sync();
  }

  @Test
  void definitions_areKept() {
    CounterConfiguration bounded = CounterConfiguration.boundedStrong(5, -10, 10);
    CounterConfiguration weak = CounterConfiguration.weak(7).withConcurrencyLevel(3);
    assertTrue(counters.defineCounter("d-strong", CounterConfiguration.strong(-3)));
    assertTrue(counters.defineCounter("d-bounded", bounded));
    assertTrue(counters.defineCounter("d-weak", weak));
    assertFalse(counters.defineCounter("d-weak", bounded));
    assertEquals(CounterConfiguration.strong(-3), counters.getConfiguration("d-strong"));
    assertEquals(bounded, counters.getConfiguration("d-bounded"));
    assertEquals(weak, counters.getConfiguration("d-weak"));
    assertNull(counters.getConfiguration("d-none"));
    assertTrue(counters.isDefined("d-weak"));
    assertFalse(counters.isDefined("d-none"));
    assertTrue(counters.getCounterNames().containsAll(List.of("d-strong", "d-bounded", "d-weak")));
    assertEquals(CounterType.WEAK, counters.getWeakCounter("d-weak").getConfiguration().type());
    assertThrows(CounterNotFoundException.class, () -> counters.getStrongCounter("d-none"));
    assertThrows(IllegalArgumentException.class, () -> counters.getStrongCounter("d-weak"));
    assertThrows(IllegalArgumentException.class, () -> counters.getWeakCounter("d-strong"));
    assertThrows(
        IllegalArgumentException.class, () -> CounterConfiguration.boundedStrong(11, 0, 10));
  }

  @Test
  void strongCounter_counts() {
    RemoteStrongCounter.Sync counter = strong("s", CounterConfiguration.strong(10));
    assertEquals("s", counter.getName());
    assertEquals(10, counter.getValue());
    assertEquals(11, counter.incrementAndGet());
    assertEquals(10, counter.decrementAndGet());
    assertEquals(-90, counter.addAndGet(-100));
    assertTrue(counter.compareAndSet(-90, 3));
    assertFalse(counter.compareAndSet(-90, 4));
    assertEquals(3, counter.compareAndSwap(0, 4));
    assertEquals(3, counter.getAndSet(Long.MAX_VALUE));
    counter.reset();
    assertEquals(10, counter.getValue());
    counter.addAndGet(5);
    counter.remove();
    assertEquals(10, counter.getValue());
    counters.remove("s");
  }

  @Test
  @DisabledIfSystemProperty(named = TestServer.EXTERNAL, matches = ".*") // others differ
  void limitsAndAbsence_areTold() {
    assertThrows(CounterNotFoundException.class, () -> counters.remove("o-none"));
    RemoteStrongCounter.Sync counter = strong("o", CounterConfiguration.strong(Long.MAX_VALUE));
    assertThrows(CounterOutOfBoundsException.class, counter::incrementAndGet);
    assertEquals(Long.MAX_VALUE, counter.getValue());
  }

  @Test
  void boundedCounter_staysWithinItsBounds() {
    RemoteStrongCounter.Sync counter = strong("b", CounterConfiguration.boundedStrong(5, 0, 10));
    assertThrows(CounterOutOfBoundsException.class, () -> counter.addAndGet(6));
    assertEquals(10, counter.getValue());
    assertThrows(CounterOutOfBoundsException.class, () -> counter.addAndGet(-11));
    assertEquals(0, counter.getValue());
    assertThrows(CounterOutOfBoundsException.class, () -> counter.compareAndSwap(0, 11));
    assertThrows(CounterOutOfBoundsException.class, () -> counter.getAndSet(-1));
    assertEquals(0, counter.getValue());
  }

  @Test
  void weakCounter_counts() {
    assertTrue(counters.defineCounter("w", CounterConfiguration.weak(1)));
    RemoteWeakCounter.Sync counter = counters.getWeakCounter("w").sync();
    counter.increment();
    counter.add(10);
    counter.decrement();
    assertEquals(11, counter.getValue());
    counter.reset();
    assertEquals(1, counter.getValue());
    counter.add(3);
    counter.remove();
    assertEquals(1, counter.getValue());
  }

  @Test
  void additions_ofManyThreads_areAllCounted() {
    RemoteStrongCounter.Sync counter = strong("many", CounterConfiguration.strong(0));
    RemoteStrongCounter async = counters.getStrongCounter("many");
    List<CompletableFuture<Long>> sent = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      sent.add(async.incrementAndGet());
    }
    assertEquals(1000, sent.stream().map(CompletableFuture::join).distinct().count());
    assertEquals(1000, counter.getValue());
  }

  @Test
  void listener_getsEventsUntilItIsClosed() throws InterruptedException {
    RemoteStrongCounter.Sync counter = strong("l", CounterConfiguration.boundedStrong(0, 0, 10));
    BlockingQueue<CounterEvent> events = new LinkedBlockingQueue<>();
    BlockingQueue<CounterEvent> others = new LinkedBlockingQueue<>();
    CounterSubscription first = counters.getStrongCounter("l").addListener(events::add);
    CounterSubscription second = counters.getStrongCounter("l").addListener(others::add);
    counter.addAndGet(3);
    assertThrows(CounterOutOfBoundsException.class, () -> counter.addAndGet(8));
    CounterState valid = CounterState.VALID;
    assertEquals(new CounterEvent("l", 0, valid, 3, valid), events.poll(120, TimeUnit.SECONDS));
    assertEquals(
        new CounterEvent("l", 3, valid, 10, CounterState.UPPER_BOUND_REACHED),
        events.poll(120, TimeUnit.SECONDS));
    first.close();
    first.close();
    counter.addAndGet(-1);
    for (int i = 0; i < 3; i++) {
      assertNotNull(others.poll(120, TimeUnit.SECONDS));
    }
    assertTrue(events.isEmpty());
    second.close();
    assertThrows(
        CounterNotFoundException.class,
        () -> manager.counters().getWeakCounter("none").addListener(events::add));
  }

  /** A client that does not learn of the server behind the proxy. */
  private static RemoteCacheManager through(CutProxy proxy) {
    return new RemoteCacheManager(
        ClientConfig.builder()
            .addServer("127.0.0.1", proxy.port())
            .intelligence(Intelligence.BASIC)
            .operationTimeoutMillis(20_000)
            .build());
  }

  @Test
  void listener_afterItsConnectionWasLost_getsEventsAgain()
      throws IOException, InterruptedException {
    RemoteStrongCounter.Sync counter = strong("cut", CounterConfiguration.strong(0));
    try (CutProxy proxy = new CutProxy(server.port());
        RemoteCacheManager through = through(proxy)) {
      BlockingQueue<CounterEvent> events = new LinkedBlockingQueue<>();
      through.counters().getStrongCounter("cut").addListener(events::add);
      counter.incrementAndGet();
      assertNotNull(events.poll(120, TimeUnit.SECONDS));
      proxy.cut();
      CounterEvent event = null;
      while (event == null) {
        counter.incrementAndGet();
        event = events.poll(50, TimeUnit.MILLISECONDS);
      }
      assertTrue(event.newValue() > 1);
    }
  }

  @Test
  void registration_ofALostConnection_waitsForNoRoom() throws Exception {
    RemoteStrongCounter.Sync counter = strong("full", CounterConfiguration.strong(0));
    ClientConfig config = server.client().operationTimeoutMillis(600_000).eventLoops(1).build();
    try (RemoteCacheManager full = new RemoteCacheManager(config)) {
      BlockingQueue<CounterEvent> events = new LinkedBlockingQueue<>();
      full.counters().getStrongCounter("full").addListener(events::add);
      SeenRead seen = new SeenRead(FailureTest.format(config));
      full.router().send(seen);
      Connection connection = seen.through().get(60, TimeUnit.SECONDS);
      assertTrue(seen.handle((found, failure) -> true).get(60, TimeUnit.SECONDS));
      Permits permits = connection.link().permits();
      int taken = 0;
      while (permits.tryAcquire(0)) {
        taken++;
      }
      assertTimeoutPreemptively(
          Duration.ofSeconds(20),
          () -> connection.link().loop().execute(connection::closeNow)); // and reports the loss
      CounterEvent event = null;
      while (event == null) {
        counter.incrementAndGet();
        event = events.poll(50, TimeUnit.MILLISECONDS);
      }
      for (int i = 0; i < taken; i++) {
        permits.release(0);
      }
    }
  }

  @Test
  void addition_whoseAnswerIsLost_isDoneOnceAndAnswered() throws IOException {
    RemoteStrongCounter.Sync counter = strong("once", CounterConfiguration.strong(0));
    try (CutProxy proxy = new CutProxy(server.port());
        RemoteCacheManager through = through(proxy)) {
      RemoteStrongCounter other = through.counters().getStrongCounter("once");
      proxy.loseNextAnswer();
      assertEquals(1, other.sync().incrementAndGet());
      assertEquals(1, counter.getValue());
      assertEquals(2, other.sync().incrementAndGet());
    }
  }
}
