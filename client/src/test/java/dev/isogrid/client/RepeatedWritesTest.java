package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Writes whose answers are lost: the client sends them again, and they take effect once. */
@DisabledIfSystemProperty(named = TestServer.EXTERNAL, matches = ".*")
class RepeatedWritesTest {
  /** Writes that are under way at the same time. */
  private static final int MANY = 50;

  private static @Nullable TestServer server;

  private @Nullable CutProxy proxy;
  private @Nullable RemoteCacheManager manager;
  private @Nullable RemoteCache<String, String> cache;

  @BeforeAll
  static void start() {
    server = new TestServer();
  }

  @AfterAll
  static void stop() {
    Objects.requireNonNull(server).close();
  }

  @BeforeEach
  void connect() throws IOException {
    CutProxy begun = new CutProxy(Objects.requireNonNull(server).port());
    RemoteCacheManager through = new RemoteCacheManager(client(begun.port()).build());
    proxy = begun;
    manager = through;
    cache = Objects.requireNonNull(through.<String, String>getCache("default"));
    cache.clear();
  }

  @AfterEach
  void disconnect() {
    Objects.requireNonNull(manager).close();
    Objects.requireNonNull(proxy).close();
  }

  /** A client that learns of no other servers. */
  private static ClientConfig.Builder client(int... ports) {
    ClientConfig.Builder builder =
        ClientConfig.builder().intelligence(Intelligence.BASIC).operationTimeoutMillis(20_000);
    for (int port : ports) {
      builder.addServer("127.0.0.1", port);
    }
    return builder;
  }

  private RemoteCache<String, String> cache() {
    return Objects.requireNonNull(cache);
  }

  private RemoteCache<String, String> returning() {
    return cache().withFlags(Flag.FORCE_RETURN_VALUE);
  }

  private void loseNextAnswer() {
    Objects.requireNonNull(proxy).loseNextAnswer();
  }

  @Test
  void putIfAbsent_whoseAnswerIsLost_saysThatItWasDone() {
    loseNextAnswer();
    assertNull(returning().putIfAbsent("k", "mine"));
    assertEquals("mine", cache().get("k"));
    loseNextAnswer();
    assertEquals("mine", returning().putIfAbsent("k", "other"));
  }

  @Test
  void put_whoseAnswerIsLost_givesThePreviousValue() {
    cache().put("k", "before");
    loseNextAnswer();
    assertEquals("before", returning().put("k", "after"));
    assertEquals("after", cache().get("k"));
  }

  @Test
  void put_whoseAnswerIsLost_doesNotUndoAnotherPut() {
    try (RemoteCacheManager other =
        new RemoteCacheManager(client(Objects.requireNonNull(server).port()).build())) {
      RemoteCache<String, String> direct =
          Objects.requireNonNull(other.<String, String>getCache("default"));
      Objects.requireNonNull(proxy).loseNextAnswer(() -> direct.put("k", "newer"));
      cache().put("k", "older");
      assertEquals("newer", direct.get("k"));
    }
  }

  @Test
  void remove_whoseAnswerIsLost_givesTheRemovedValue() {
    cache().put("k", "v");
    loseNextAnswer();
    assertEquals("v", returning().remove("k"));
    assertNull(cache().get("k"));
    loseNextAnswer();
    assertNull(returning().remove("k"));
  }

  @Test
  void replaceWithVersion_whoseAnswerIsLost_saysThatItWasDone() {
    cache().put("k", "v1");
    long version = Objects.requireNonNull(cache().getWithMetadata("k")).version();
    loseNextAnswer();
    assertTrue(cache().replaceWithVersion("k", "v2", version));
    assertEquals("v2", cache().get("k"));
  }

  @Test
  void removeWithVersion_whoseAnswerIsLost_saysThatItWasDone() {
    cache().put("k", "v1");
    long version = Objects.requireNonNull(cache().getWithMetadata("k")).version();
    loseNextAnswer();
    assertTrue(cache().removeWithVersion("k", version));
    assertNull(cache().get("k"));
  }

  @Test
  void largePreviousValue_whoseAnswerIsLost_isUnknown() {
    String large = "x".repeat(64 << 10);
    cache().put("k", large);
    loseNextAnswer();
    ServerErrorException unknown =
        assertThrows(ServerErrorException.class, () -> returning().put("k", "after"));
    assertTrue(String.valueOf(unknown.getMessage()).contains("may or may not"), unknown::toString);
    assertEquals("after", cache().get("k"));
  }

  @Test
  void manyAtOnce_whoseAnswersAreLost_takeEffectOnceEach() {
    RemoteCounterManager counters = Objects.requireNonNull(manager).counters();
    counters.defineCounter("many", CounterConfiguration.strong(0));
    RemoteStrongCounter counter = counters.getStrongCounter("many");
    loseNextAnswer();
    List<CompletableFuture<@Nullable String>> puts = new ArrayList<>();
    List<CompletableFuture<Long>> additions = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      puts.add(returning().putIfAbsentAsync("k" + i, "v" + i));
      additions.add(counter.incrementAndGet());
    }
    puts.forEach(put -> assertNull(put.join()));
    Set<Long> values = new HashSet<>();
    additions.forEach(addition -> values.add(addition.join()));
    assertEquals(new HashSet<>(LongStream.rangeClosed(1, MANY).boxed().toList()), values);
  }

  @Tag("deep")
  @Test
  void afterTheServerOfAClusterWasKilled_writesTakeEffectOnceEach() throws IOException {
    try (ServerProcesses servers = new ServerProcesses("repeated", 3);
        CutProxy toFirst = new CutProxy(servers.port(0));
        RemoteCacheManager through =
            new RemoteCacheManager(
                client(toFirst.port(), servers.port(1))
                    .operationTimeoutMillis(120_000)
                    .retriesMax(100)
                    .build())) {
      RemoteCache<String, String> clustered =
          Objects.requireNonNull(through.<String, String>getCache("default"))
              .withFlags(Flag.FORCE_RETURN_VALUE);
      RemoteCounterManager counters = through.counters();
      counters.defineCounter("killed", CounterConfiguration.strong(0));
      RemoteStrongCounter counter = counters.getStrongCounter("killed");
      for (int i = 0; i < MANY; i++) {
        clustered.put("removed" + i, "v" + i);
      }
      toFirst.loseNextAnswer(() -> servers.kill(0));
      List<CompletableFuture<@Nullable String>> puts = new ArrayList<>();
      List<CompletableFuture<@Nullable String>> removals = new ArrayList<>();
      List<CompletableFuture<Long>> additions = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        puts.add(clustered.putIfAbsentAsync("k" + i, "v" + i));
        removals.add(clustered.removeAsync("removed" + i));
        additions.add(counter.incrementAndGet());
      }
      puts.forEach(put -> assertNull(put.join()));
      Set<Long> values = new HashSet<>();
      additions.forEach(addition -> values.add(addition.join()));
      assertEquals(new HashSet<>(LongStream.rangeClosed(1, MANY).boxed().toList()), values);
      for (int i = 0; i < MANY; i++) {
        assertEquals("v" + i, removals.get(i).join());
        assertEquals("v" + i, clustered.get("k" + i));
      }
    }
  }
}
