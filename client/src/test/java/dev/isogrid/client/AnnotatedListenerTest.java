package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners by annotations, against a real server. */
class AnnotatedListenerTest {
  private static TestServer server;

  @BeforeAll
  static void startServer() {
    server = new TestServer();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  /** Hears of all. */
  @ClientListener(includeCurrentState = true)
  static class Heard {
    final BlockingQueue<String> all = new LinkedBlockingQueue<>();

    /** Entries that were made. */
    @ClientCacheEntryCreated
    public void made(EntryEvent<String, String> event) {
      all.add("created " + event.key() + (event.isState() ? " before" : ""));
    }

    /** Other changes. */
    @ClientCacheEntryModified
    @ClientCacheEntryRemoved
    public void changed(EntryEvent<String, String> event) {
      all.add(event.kind() + " " + event.key());
    }

    /** Lost connections. */
    @ClientCacheFailover
    public void failed(EntryListener.Interruption interruption) {
      all.add(interruption.reason().toString());
    }
  }

  /** Hears of removals only, and what it inherits. */
  @ClientListener
  static final class Removals {
    final BlockingQueue<String> all = new LinkedBlockingQueue<>();

    /** Entries that went. */
    @ClientCacheEntryRemoved
    public void gone(Object event) {
      all.add(((EntryEvent<?, ?>) event).kind().toString());
    }
  }

  @Test
  void methods_areToldWhatTheyAreMarkedFor() throws InterruptedException, IOException {
    try (CutProxy proxy = new CutProxy(server.port());
        RemoteCacheManager manager =
            new RemoteCacheManager(
                ClientConfig.builder()
                    .addServer("127.0.0.1", proxy.port())
                    .intelligence(Intelligence.BASIC)
                    .operationTimeoutMillis(20_000)
                    .build())) {
      RemoteCache<String, String> cache = Objects.requireNonNull(manager.getCache("default"));
      cache.clear();
      cache.put("old", "v");
      Heard heard = new Heard();
      Removals removals = new Removals();
      cache.addClientListener(heard);
      cache.addClientListener(removals);
      assertEquals(Set.of(heard, removals), cache.listeners());
      assertThrows(IllegalArgumentException.class, () -> cache.addClientListener(heard));
      cache.put("k", "v");
      cache.put("k", "w");
      cache.remove("k");
      assertEquals("created old before", heard.all.take());
      assertEquals("created k", heard.all.take());
      assertEquals("MODIFIED k", heard.all.take());
      assertEquals("REMOVED k", heard.all.take());
      assertEquals("REMOVED", removals.all.take());
      assertNull(removals.all.poll());
      proxy.cut();
      assertEquals("CONNECTION_LOST", heard.all.take());
      String next = heard.all.take();
      while (next.equals("CONNECTION_LOST")) {
        next = heard.all.take(); // a try to register it anew was in vain
      }
      assertEquals("created old before", next);
      cache.removeClientListener(heard);
      cache.removeClientListener(removals);
      assertEquals(Set.of(), cache.listeners());
    }
  }

  /** Not marked. */
  static final class Unmarked {
    /** Not heard. */
    @ClientCacheEntryCreated
    public void made(EntryEvent<String, String> event) {}
  }

  /** Without methods. */
  @ClientListener
  static final class Empty {}

  /** With a parameter too many. */
  @ClientListener
  static final class TwoParameters {
    /** Not heard. */
    @ClientCacheEntryCreated
    public void made(EntryEvent<String, String> event, String more) {}
  }

  /** With a wrong parameter. */
  @ClientListener
  static final class WrongParameter {
    /** Not heard. */
    @ClientCacheEntryExpired
    public void expired(String key) {}
  }

  /** With a result. */
  @ClientListener
  static final class WithResult {
    /** Not heard. */
    @ClientCacheEntryRemoved
    public int gone(EntryEvent<String, String> event) {
      return 0;
    }
  }

  /** Not to be called. */
  @ClientListener
  static final class NotPublic {
    @ClientCacheEntryModified
    void changed(EntryEvent<String, String> event) {}
  }

  /** The failover's event is another one. */
  @ClientListener
  static final class WrongFailover {
    /** Not heard. */
    @ClientCacheFailover
    public void failed(EntryEvent<String, String> event) {}
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Unmarked.class,
        Empty.class,
        TwoParameters.class,
        WrongParameter.class,
        WithResult.class,
        NotPublic.class,
        WrongFailover.class
      })
  void wrongListeners_areRefusedByName(Class<?> type) throws ReflectiveOperationException {
    Object listener = type.getDeclaredConstructor().newInstance();
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new AnnotatedListener<>(listener));
    assertTrue(String.valueOf(refused.getMessage()).contains(type.getName()), refused::toString);
  }
}
