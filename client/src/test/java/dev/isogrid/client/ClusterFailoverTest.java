package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An iteration, a listener and a near cache of three servers, of which one is killed. */
class ClusterFailoverTest {
  private static final int ENTRIES = 2_000;
  private static final int SEGMENTS = 256;

  private final Map<Integer, String> expected = new HashMap<>();

  @Test
  void kill_ofTheServerThatTellsOfChanges_losesAndRepeatsNothing() throws IOException {
    try (ServerProcesses servers = new ServerProcesses("views", 3);
        RemoteCacheManager manager =
            new RemoteCacheManager(
                servers.client().nearCache("default", NearCacheConfig.invalidated(1_000)).build());
        RemoteCacheManager other = new RemoteCacheManager(servers.client().build())) {
      RemoteCache<Integer, String> cache = Objects.requireNonNull(manager.getCache("default"));
      RemoteCache<Integer, String> writer = Objects.requireNonNull(other.getCache("default"));
      ServerProcesses.awaitServers(manager, cache, 3);
      ServerProcesses.awaitServers(other, writer, 3);
      for (int i = 0; i < ENTRIES; i++) {
        expected.put(i, "a");
      }
      writer.putAll(expected);
      checkSegments(cache);
      checkPublisher(cache);
      Set<Integer> created = listen(cache);
      for (int i = 0; i < 100; i++) {
        awaitValue(cache, i, "a");
      }
      NearCache near = Objects.requireNonNull(manager.router().cache("default").near());
      int port = Objects.requireNonNull(near.connection()).address().port();
      servers.awaitCopies();
      Map<Integer, String> found = new HashMap<>();
      try (CloseableIterator<Map.Entry<Integer, String>> entries = cache.retrieveEntries(10)) {
        while (entries.hasNext()) {
          Map.Entry<Integer, String> entry = entries.next();
          assertNull(found.put(entry.getKey(), entry.getValue()));
          if (found.size() == ENTRIES / 4) {
            servers.killAt(port);
          } else if (found.size() == ENTRIES / 2) {
            writer.put(0, "a");
          }
        }
      }
      assertEquals(expected, found);
      writer.put(ENTRIES, "new");
      for (int i = 0; i < 100; i++) {
        writer.put(i, "b");
      }
      for (int i = 0; i < 100; i++) {
        awaitValue(cache, i, "b");
      }
      Await.until("the event of the last entry", () -> created.contains(ENTRIES));
    }
  }

  private static void checkSegments(RemoteCache<Integer, String> cache) {
    Set<Integer> some = Set.of(1, 5, 100);
    Set<Integer> others = new HashSet<>();
    for (int segment = 0; segment < SEGMENTS; segment++) {
      if (!some.contains(segment)) {
        others.add(segment);
      }
    }
    int ofSome = new HashSet<>(cache.keySet(some)).size();
    assertEquals(ENTRIES, ofSome + cache.keySet(others).size());
  }

  /** All servers are asked at the same time; each entry comes once. */
  private void checkPublisher(RemoteCache<Integer, String> cache) {
    Map<Integer, String> found = new ConcurrentHashMap<>();
    CompletableFuture<Integer> count = new CompletableFuture<>();
    Flow.Publisher<Map.Entry<Integer, String>> all = cache.publishEntries(null, null, null, 50);
    all.subscribe(
        new Flow.Subscriber<>() {
          private Flow.@Nullable Subscription subscription;
          private int told;

          @Override
          public void onSubscribe(Flow.Subscription made) {
            subscription = made;
            made.request(1);
          }

          @Override
          public void onNext(Map.Entry<Integer, String> entry) {
            told++;
            found.put(entry.getKey(), entry.getValue());
            Objects.requireNonNull(subscription).request(1);
          }

          @Override
          public void onError(Throwable cause) {
            count.completeExceptionally(cause);
          }

          @Override
          public void onComplete() {
            count.complete(told);
          }
        });
    assertEquals(ENTRIES, count.join());
    assertEquals(expected, found);
  }

  private static Set<Integer> listen(RemoteCache<Integer, String> cache) {
    Set<Integer> created = ConcurrentHashMap.newKeySet();
    cache.addClientListener(
        new EntryListener<Integer, String>() {
          @Override
          public void onCreated(EntryEvent<Integer, String> event) {
            created.add(Objects.requireNonNull(event.key()));
          }
        },
        ListenerOptions.DEFAULT.withState());
    return created;
  }

  private static void awaitValue(RemoteCache<Integer, String> cache, int key, String value) {
    Await.until(key + "=" + value, () -> value.equals(cache.get(key)));
  }
}
