package dev.isogrid.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.isogrid.client.HotRodClientException;
import dev.isogrid.client.MetadataValue;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.testkit.Await;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RemoteStoreTest {
  private static final Set<String> KEYS = Set.of("a", "b", "none");

  private static final Map<Object, MetadataValue<Integer>> ANSWERS =
      Map.of(
          "a", new MetadataValue<>(7, 1, 2, 3, -1, -1),
          "b", new MetadataValue<>(8, 1, 2, 3, -1, -1));

  @Test
  void entries_ofSeveralKeys_areAskedForAtOnce() {
    Map<Object, CompletableFuture<@Nullable Object>> asked = new HashMap<>();
    RemoteStore<String, Integer> store =
        store(key -> {
          CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
          asked.put(key, answer);
          if (asked.keySet().equals(KEYS)) { // nothing is answered before
            asked.forEach((each, its) -> its.complete(ANSWERS.get(each)));
          }
          return answer;
        });
    assertEquals(
        Map.of("a", new StoredEntry<>(7, 1, 2, 3), "b", new StoredEntry<>(8, 1, 2, 3)),
        assertTimeoutPreemptively(Await.PATIENCE, () -> store.entries(KEYS)));
  }

  @Test
  void entries_whenOneFails_throwsItsFailure() {
    HotRodClientException failure = new HotRodClientException("down");
    RemoteStore<String, Integer> store = store(key -> CompletableFuture.failedFuture(failure));
    assertSame(failure, assertThrows(HotRodClientException.class, () -> store.entries(KEYS)));
  }

  @Test
  void removals_ofSeveralKeys_areAskedForAtOnce_andToldOfThoseThatWere() {
    Map<Object, Integer> there = Map.of("a", 7, "b", 8);
    Map<Object, CompletableFuture<@Nullable Object>> asked = new HashMap<>();
    RemoteStore<String, Integer> store =
        store(
            "removeAsync",
            key -> {
              CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
              asked.put(key, answer);
              if (asked.keySet().equals(KEYS)) { // nothing is answered before
                asked.forEach((each, its) -> its.complete(there.get(each)));
              }
              return answer;
            });
    Map<String, Integer> told = new HashMap<>();
    assertTimeoutPreemptively(Await.PATIENCE, () -> store.removeAll(KEYS, told::put));
    assertEquals(there, told);
  }

  @Test
  void removals_whenOneFails_tellOfTheOthers_andThrowItsFailure() {
    HotRodClientException failure = new HotRodClientException("down");
    RemoteStore<String, Integer> store =
        store(
            "removeAsync",
            key -> {
              CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
              if (key.equals("a")) {
                answer.completeExceptionally(failure);
              } else {
                answer.complete(8);
              }
              return answer;
            });
    Map<String, Integer> told = new HashMap<>();
    assertSame(
        failure, assertThrows(HotRodClientException.class, () -> store.removeAll(KEYS, told::put)));
    assertEquals(Map.of("b", 8, "none", 8), told);
  }

  private static RemoteStore<String, Integer> store(
      Function<Object, CompletableFuture<@Nullable Object>> reader) {
    return store("getWithMetadataAsync", reader);
  }

  /** A store over a cache with one operation on single entries, without waiting. */
  @SuppressWarnings("unchecked") // the proxy has no types
  private static RemoteStore<String, Integer> store(
      String operation, Function<Object, CompletableFuture<@Nullable Object>> answerer) {
    return new RemoteStore<>(
        (RemoteCache<String, Integer>)
            Proxy.newProxyInstance(
                RemoteStoreTest.class.getClassLoader(),
                new Class<?>[] {RemoteCache.class},
                (proxy, method, arguments) -> {
                  assertEquals(operation, method.getName());
                  return answerer.apply(arguments[0]);
                }));
  }
}
