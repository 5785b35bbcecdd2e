package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Subscription;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Listeners of a cache, against a real server. */
class EntryListenerTest {
  private static TestServer server;

  private RemoteCacheManager manager;
  private RemoteCache<String, String> cache;
  private final Heard heard = new Heard();

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
    manager = new RemoteCacheManager(server.client().build());
    cache = Objects.requireNonNull(manager.getCache("default"));
    cache.clear();
  }

  @AfterEach
  void disconnect() {
    manager.close();
  }

  /** Keeps what it hears, as text. */
  static final class Heard implements EntryListener<String, String> {
    private final BlockingQueue<String> all = new LinkedBlockingQueue<>();

    private void add(EntryEvent<String, String> event) {
      String state = event.isState() ? " state" : "";
      String value = event.value() == null ? "" : "=" + event.value();
      all.add(event.kind() + " " + event.key() + value + state);
    }

    @Override
    public void onCreated(EntryEvent<String, String> event) {
      assertTrue(event.version() > 0);
      add(event);
    }

    @Override
    public void onModified(EntryEvent<String, String> event) {
      assertTrue(event.version() > 0);
      add(event);
    }

    @Override
    public void onRemoved(EntryEvent<String, String> event) {
      add(event);
    }

    @Override
    public void onExpired(EntryEvent<String, String> event) {
      add(event);
    }

    @Override
    public void onInterrupted(Interruption interruption) {
      all.add("interrupted " + interruption.reason());
    }

    String next() throws InterruptedException {
      return all.take();
    }
  }

  @Test
  void events_ofAllKinds_comeInOrder() throws InterruptedException {
    cache.addClientListener(heard);
    cache.put("k", "a");
    cache.put("k", "b");
    cache.remove("k");
    cache.put("short", "v", 20, TimeUnit.MILLISECONDS);
    assertEquals("CREATED k", heard.next());
    assertEquals("MODIFIED k", heard.next());
    assertEquals("REMOVED k", heard.next());
    assertEquals("CREATED short", heard.next());
    while (heard.all.isEmpty()) {
      cache.get("short"); // expiry is told when it is found
    }
    assertEquals("EXPIRED short", heard.next());
  }

  @Test
  void values_andState_areToldWhereWanted() throws InterruptedException {
    cache.put("a", "1");
    cache.put("b", "2");
    cache.addClientListener(heard, ListenerOptions.DEFAULT.withState().withValues());
    Set<String> state = new TreeSet<>();
    state.add(heard.next());
    state.add(heard.next());
    assertEquals(Set.of("CREATED a=1 state", "CREATED b=2 state"), state);
    cache.put("a", "3");
    cache.remove("b");
    assertEquals("MODIFIED a=3", heard.next());
    assertEquals("REMOVED b", heard.next());
  }

  @Test
  void kinds_thatAreNotWanted_areNotTold() throws InterruptedException {
    cache.addClientListener(heard, ListenerOptions.DEFAULT.withKinds(EntryEvent.Kind.REMOVED));
    cache.put("k", "a");
    cache.put("k", "b");
    cache.remove("k");
    assertEquals("REMOVED k", heard.next());
  }

  @Test
  void remove_endsTheEvents() throws InterruptedException {
    cache.addClientListener(heard);
    assertThrows(IllegalArgumentException.class, () -> cache.addClientListener(heard));
    assertEquals(Set.of(heard), cache.withFlags(Flag.SKIP_INDEXING).listeners());
    cache.removeClientListener(heard);
    cache.removeClientListener(heard);
    assertEquals(Set.of(), cache.listeners());
    Heard other = new Heard();
    cache.addClientListener(other);
    cache.put("k", "v");
    assertEquals("CREATED k", other.next());
    assertTrue(heard.all.isEmpty());
  }

  @Test
  void unknownFactory_isRefused() {
    HotRodClientException refusal =
        assertThrows(
            ServerErrorException.class,
            () -> cache.addClientListener(heard, ListenerOptions.DEFAULT.withFilter("none", "p")));
    String reason = String.valueOf(refusal.getMessage());
    assertTrue(reason.contains("key/value filter factory 'none' not found in server"), reason);
    assertEquals(Set.of(), cache.listeners());
  }

  @Test
  void listener_thatCallsTheCacheAndThrows_goesOn() throws InterruptedException {
    BlockingQueue<String> read = new LinkedBlockingQueue<>();
    cache.addClientListener(
        new EntryListener<String, String>() {
          @Override
          public void onCreated(EntryEvent<String, String> event) {
            read.add(event.key() + "=" + cache.get(Objects.requireNonNull(event.key())));
            throw new IllegalStateException("as a test");
          }
        });
    cache.put("a", "1");
    cache.put("b", "2");
    assertEquals("a=1", read.take());
    assertEquals("b=2", read.take());
  }

  @Test
  void listener_thatFailsWithAnError_hearsTheNextEvents() throws InterruptedException {
    cache.addClientListener(
        new EntryListener<String, String>() {
          @Override
          public void onCreated(EntryEvent<String, String> event) {
            if ("a".equals(event.key())) {
              throw new AssertionError("as a test");
            }
            heard.onCreated(event);
          }
        });
    cache.put("a", "1");
    cache.put("b", "2");
    assertEquals("CREATED b", heard.all.poll(60, TimeUnit.SECONDS));
  }

  /** Closes its registration with the first event, which comes before it is confirmed. */
  private static final class Closing implements ServerListener.Target {
    private final ServerListener registration;

    Closing(Router router, RequestFormat format) {
      ListenerOptions options = ListenerOptions.DEFAULT.withState();
      registration =
          new ServerListener(
              router,
              format,
              this,
              (id, sink) -> new ListenerOperation.Add(format, id, sink, options));
    }

    @Override
    public void begun(Connection connection) {}

    @Override
    public void event(RawEvent event) {
      registration.close();
    }

    @Override
    public void interrupted() {}
  }

  @Test
  void registration_thatIsClosedBeforeItIsConfirmed_ends() throws Exception {
    cache.put("state", "v");
    CompletableFuture<Void> begun =
        new Closing(manager.router(), FailureTest.format(manager.config())).registration.begin();
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> begun.get(60, TimeUnit.SECONDS));
    assertTrue(String.valueOf(failed.getMessage()).contains("was removed"), failed::toString);
  }

  @Test
  void slowListener_losesEventsAndIsTold() throws InterruptedException {
    CountDownLatch isSlow = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    BlockingQueue<EntryListener.Interruption> told = new LinkedBlockingQueue<>();
    cache.addClientListener(
        new EntryListener<String, String>() {
          @Override
          public void onCreated(EntryEvent<String, String> event) {
            isSlow.countDown();
            try {
              mayGoOn.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }

          @Override
          public void onInterrupted(Interruption interruption) {
            told.add(interruption);
          }
        },
        ListenerOptions.DEFAULT.withQueueMax(5));
    cache.put("first", "v");
    isSlow.await();
    cache.addClientListener(heard); // hears when the other one was sent its events, too
    for (int i = 0; i < 50; i++) {
      cache.put("k" + i, "v");
      assertEquals("CREATED k" + i, heard.next());
    }
    mayGoOn.countDown();
    EntryListener.Interruption interruption = told.take();
    assertEquals(EntryListener.Reason.QUEUE_FULL, interruption.reason());
    assertTrue(interruption.lostEvents() > 0, () -> "lost=" + interruption.lostEvents());
  }

  @Test
  void listener_isRegisteredAgain_whenTheServerReturns() throws InterruptedException {
    try (TestServer first = new TestServer();
        RemoteCacheManager other =
            new RemoteCacheManager(
                first.client().operationTimeoutMillis(30_000).retriesMax(100).build())) {
      RemoteCache<String, String> there = Objects.requireNonNull(other.getCache("default"));
      there.addClientListener(heard, ListenerOptions.DEFAULT.withState());
      there.put("k", "v");
      assertEquals("CREATED k", heard.next());
      int port = first.port();
      first.stop();
      try (TestServer second = new TestServer(port)) {
        assertEquals("interrupted CONNECTION_LOST", heard.next());
        try (RemoteCacheManager fresh = new RemoteCacheManager(second.client().build())) {
          Objects.requireNonNull(fresh.<String, String>getCache("default")).put("x", "y");
        }
        String event = heard.next();
        while (event.startsWith("interrupted")) {
          event = heard.next();
        }
        assertTrue(event.startsWith("CREATED x"), event);
      }
    }
  }

  @Test
  @DisabledIfSystemProperty(named = TestServer.EXTERNAL, matches = ".*") // others tell nobody
  void removalOfTheCache_isToldOnce_andEventsOfANewOneFollow() throws InterruptedException {
    StringConfiguration local = new StringConfiguration("{\"local-cache\":{}}");
    try (RemoteCacheManager other = new RemoteCacheManager(server.client().build())) {
      RemoteCacheManagerAdmin admin = other.administration().withFlags(AdminFlag.VOLATILE);
      admin.createCache("left", local);
      RemoteCache<String, String> there = Objects.requireNonNull(manager.getCache("left"));
      there.addClientListener(heard);
      there.put("k", "v");
      assertEquals("CREATED k", heard.next());
      admin.removeCache("left");
      assertEquals("interrupted CONNECTION_LOST", heard.next());
      RemoteCache<String, String> anew = admin.createCache("left", local);
      String event = null;
      while (event == null) { // until the listener is registered again
        anew.remove("x");
        anew.put("x", "y");
        event = heard.all.poll(100, TimeUnit.MILLISECONDS);
      }
      assertTrue(event.endsWith(" x"), event);
      admin.removeCache("left");
    }
  }

  @Test
  void subscription_whenClosed_endsThatRegistrationOnly() throws Exception {
    Subscription first = cache.addListener(heard);
    assertEquals(Set.of(heard), cache.listeners());
    cache.put("a", "1");
    assertEquals("CREATED a", heard.next());
    first.close();
    assertEquals(Set.of(), cache.listeners());
    Subscription second =
        cache.addListener(heard, ListenerOptions.DEFAULT.withKinds(EntryEvent.Kind.REMOVED));
    first.close();
    assertEquals(Set.of(heard), cache.listeners());
    cache.put("a", "2");
    cache.remove("a");
    assertEquals("REMOVED a", heard.next());
    second.close();
    assertEquals(Set.of(), cache.listeners());
  }
}
