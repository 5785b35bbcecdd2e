package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.EntryProcessor;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.Grid;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.KeyAffinity;
import dev.isogrid.api.Marshaller;
import dev.isogrid.api.NodeFailureNote;
import dev.isogrid.api.ProcessedEntry;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.testkit.Await;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Code that changes entries where they are. The nodes share this process, and static fields. */
class EntryProcessorTest {
  private static final Set<String> threads = ConcurrentHashMap.newKeySet();

  private static final LongAdder processed = new LongAdder();

  /** Adds one, and counts that; gives what is there then. */
  private static final EntryProcessor<String, Integer, Integer> COUNTING =
      entry -> {
        processed.increment();
        int next = requireNonNull(entry.value()) + 1;
        entry.set(next);
        return next;
      };

  /** Adds one, and gives what was there before. */
  private static final EntryProcessor<String, Integer, @Nullable Integer> INCREMENT =
      entry -> {
        Integer before = entry.value();
        entry.set(before == null ? 1 : before + 1);
        return before;
      };

  private static void checkProcessing(Cache<String, Integer> cache, String key) {
    assertNull(cache.invoke(key, INCREMENT));
    assertEquals(1, cache.invoke(key, INCREMENT));
    CacheEntry<String, Integer> entry = requireNonNull(cache.getEntry(key));
    assertEquals(entry.version(), cache.<Long>invoke(key, seen -> seen.version()));
    assertEquals(2, cache.get(key));
    cache.<Boolean>invoke(
        key,
        seen -> {
          seen.set(7, new Expiry(100_000, Expiry.UNLIMITED));
          return seen.isPresent();
        });
    assertEquals(100_000, requireNonNull(cache.getEntry(key)).lifespanMillis());
    ArithmeticException thrown =
        assertThrows(
            ArithmeticException.class,
            () ->
                cache.<Integer>invoke(
                    key,
                    seen -> {
                      seen.remove();
                      return 1 / Integer.parseInt("0");
                    }));
    assertEquals(7, cache.get(key));
    assertTrue(
        thrown.getSuppressed().length == 0 || thrown.getSuppressed()[0] instanceof NodeFailureNote);
    assertEquals(
        key,
        cache.invoke(
            key,
            seen -> {
              seen.remove();
              return seen.isPresent() ? "" : seen.key();
            }));
    assertFalse(cache.containsKey(key));
  }

  @Test
  void processor_ofACacheOfThisNode_runsUnderTheLock() {
    try (Grid alone = Grid.start()) {
      checkProcessing(alone.cache("c"), "key");
      Cache<String, Integer> cache = alone.cache("d");
      cache.put("a", 5);
      assertEquals(Map.of("a", 5), cache.invokeAll(Set.of("a", "b"), INCREMENT));
      assertEquals(Map.of("a", 6, "b", 1), cache.getAll(Set.of("a", "b")));
      assertEquals(Map.of("a", 6), cache.invokeAll((_, value) -> value > 1, INCREMENT));
      assertEquals(Map.of("a", 7, "b", 1), cache.getAll(Set.of("a", "b")));
      threads.clear(); // what is taken by the stream only is not processed
      assertEquals(Map.of(), cache.invokeAll((key, _) -> threads.add(key), INCREMENT));
      assertEquals(Map.of("a", 7, "b", 1), cache.getAll(Set.of("a", "b")));
      assertEquals(
          Map.of(), cache.<Integer>invokeAll((_, _) -> true, EntryProcessorTest::removeIt));
      assertEquals(0, cache.size());
    }
  }

  private static @Nullable Integer removeIt(ProcessedEntry<String, Integer> entry) {
    entry.remove();
    return entry.value();
  }

  /** Numbers as text, told apart from all that the built-in marshaller makes. */
  public static final class TextMarshaller implements Marshaller<Integer> {
    @Override
    public byte[] toBytes(Integer object) {
      return ("number " + object).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Integer fromBytes(byte[] bytes) {
      String text = new String(bytes, StandardCharsets.UTF_8);
      return Integer.valueOf(text.substring("number ".length()));
    }

    @Override
    public String mediaType() {
      return "text/plain";
    }
  }

  @Test
  void processorFromElsewhere_usesTheMarshallerOfTheCache() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      CacheConfig own =
          EmbeddedNodes.distributed().toBuilder().valueMarshaller(new TextMarshaller()).build();
      Cache<String, Integer> first = nodes.node(0).cache("c", own);
      AtomicInteger numbers = new AtomicInteger();
      String far =
          nodes.node(0).keyAffinity("c", () -> "key" + numbers.incrementAndGet()).keyFor("n1");
      first.put(far, 3);

      assertEquals(3, first.invoke(far, INCREMENT));
      assertEquals(4, nodes.node(1).<String, Integer>cache("c").get(far));
    }
  }

  @Test
  void processor_ofAClustersCache_runsWhereTheEntryIs() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      Cache<String, Integer> cache = nodes.node(0).cache("c", EmbeddedNodes.distributed());
      AtomicInteger numbers = new AtomicInteger();
      KeyAffinity<String> affinity =
          nodes.node(0).keyAffinity("c", () -> "key" + numbers.incrementAndGet());
      for (String node : List.of("n0", "n1", "n2")) {
        checkProcessing(cache, affinity.keyFor(node));
      }
      String far = affinity.keyFor("n2");
      NodeFailureNote note =
          assertInstanceOf(
              NodeFailureNote.class,
              assertThrows(
                      IllegalStateException.class,
                      () ->
                          cache.invoke(
                              far,
                              _ -> {
                                throw new IllegalStateException("odd");
                              }))
                  .getSuppressed()[0]);
      assertEquals("n2", note.node());
      Object captured = new Object();
      assertThrows(
          InvalidRequestException.class, () -> cache.invoke(far, _ -> captured.hashCode()));
      Set<String> keys = IntStream.range(0, 300).mapToObj(i -> "k" + i).collect(Collectors.toSet());
      assertEquals(Map.of(), cache.invokeAll(keys, INCREMENT));
      Map<String, Integer> ones = new HashMap<>();
      keys.forEach(key -> ones.put(key, 1));
      assertEquals(ones, cache.invokeAll(keys, INCREMENT));
      checkComputing(cache, far);
    }
  }

  /** So many causes that nobody can serialise it. */
  private static RuntimeException endless() {
    RuntimeException failure = new IllegalStateException("first");
    for (int i = 0; i < 50_000; i++) {
      failure = new IllegalStateException("of " + i, failure);
    }
    return failure;
  }

  @Test
  void failureOfAProcessor_thatEndsInAnError_isAnswered() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      Cache<String, Integer> cache = nodes.node(0).cache("c", EmbeddedNodes.distributed());
      AtomicInteger numbers = new AtomicInteger();
      String far =
          nodes.node(0).keyAffinity("c", () -> "key" + numbers.incrementAndGet()).keyFor("n1");
      InvalidRequestException refusal =
          assertThrows(
              InvalidRequestException.class,
              () ->
                  cache.invoke(
                      far,
                      _ -> {
                        throw endless();
                      }));
      assertTrue(
          String.valueOf(refusal.getMessage()).contains("StackOverflowError"), refusal::toString);
      assertNull(cache.invoke(far, INCREMENT));
    }
  }

  private static String thread() {
    threads.add(Thread.currentThread().getName());
    return "";
  }

  private static void checkComputing(Cache<String, Integer> cache, String far) {
    threads.clear();
    BiFunction<String, @Nullable Integer, @Nullable Integer> shipped =
        (BiFunction<String, @Nullable Integer, @Nullable Integer> & Serializable)
            (_, old) -> old == null ? thread().length() : old + 1;
    assertEquals(0, cache.compute(far, shipped));
    assertTrue(threads.iterator().next().startsWith("isogrid-user-"), threads::toString);
    assertEquals(1, cache.compute(far, shipped));
    assertEquals(
        3,
        cache.merge(far, 2, (BiFunction<Integer, Integer, Integer> & Serializable) Integer::sum));
    assertEquals(5, cache.merge(far, 2, Integer::sum));
    threads.clear();
    assertNull(
        cache.compute(
            far,
            (_, _) -> {
              thread();
              return null;
            }));
    assertEquals(Set.of(Thread.currentThread().getName()), threads);
  }

  @Test
  void increments_whileANodeDies_areDoneOnceEach() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      LongAdder done = new LongAdder();
      LongAdder unknown = new LongAdder();
      AtomicBoolean ends = new AtomicBoolean();
      Set<String> answers = ConcurrentHashMap.newKeySet();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Cache<String, Integer> cache = nodes.node(i).cache("c", EmbeddedNodes.distributed());
        clients.add(
            Thread.ofVirtual()
                .start(() -> {
                  for (int n = 0; !ends.get(); n++) {
                    String key = "key" + n % 10;
                    increment(cache, key, answers, done, unknown);
                  }
                }));
      }
      Await.until("operations", () -> done.sum() > 300);
      nodes.awaitCopies();
      nodes.node(2).close();
      long sum = done.sum();
      Await.until("operations", () -> done.sum() > sum + 300);
      ends.set(true);
      for (Thread client : clients) {
        client.join();
      }
      Cache<String, Integer> cache = nodes.node(0).cache("c", EmbeddedNodes.distributed());
      long total = 0;
      for (int n = 0; n < 10; n++) {
        total += requireNonNull(cache.get("key" + n));
      }
      String figures = "done=%s, unknown=%s, total=%d".formatted(done, unknown, total);
      assertEquals(done.sum(), answers.size(), figures);
      assertTrue(total >= done.sum() && total <= done.sum() + unknown.sum(), figures);
    }
  }

  @Test
  void entriesOfAFilter_whileANodeDies_areProcessedAtMostOnce() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      Cache<String, Integer> cache = nodes.node(0).cache("c", EmbeddedNodes.distributed());
      nodes.node(1).cache("c", EmbeddedNodes.distributed());
      nodes.node(2).cache("c", EmbeddedNodes.distributed());
      Map<String, Integer> numbers = new HashMap<>();
      IntStream.range(0, 3000).forEach(i -> numbers.put("key" + i, i % 2 == 0 ? 0 : 1000));
      cache.putAll(numbers);
      processed.reset();
      assertEquals(1500, cache.invokeAll((_, value) -> value < 1000, COUNTING).size());
      assertEquals(1500, cache.values().stream().filter(value -> value == 1).count());
      FutureTask<Boolean> end =
          new FutureTask<>(() -> {
            Await.until("calls", () -> processed.sum() > 2000);
            nodes.node(2).close();
            return true;
          });
      Thread.ofVirtual().start(end);
      boolean isWhole = true;
      try {
        assertEquals(1500, cache.invokeAll((_, value) -> value < 1000, COUNTING).size());
      } catch (IndeterminateGridException | RetryableGridException lost) {
        isWhole = false;
      }
      assertTrue(end.get());
      Await.until("segments", () -> cache.keySet().stream().count() == 3000);
      long once = cache.values().stream().filter(value -> value == 2).count();
      long never = cache.values().stream().filter(value -> value == 1).count();
      assertEquals(1500, once + never, "processed twice");
      assertTrue(!isWhole || never == 0, "left out: " + never);
      assertEquals(1500, cache.values().stream().filter(value -> value == 1000).count());
    }
  }

  private static void increment(
      Cache<String, Integer> cache,
      String key,
      Set<String> answers,
      LongAdder done,
      LongAdder unknown) {
    try {
      Integer before = cache.invoke(key, INCREMENT);
      assertTrue(answers.add(key + "=" + before), () -> "answered twice: " + key + "=" + before);
      done.increment();
    } catch (IndeterminateGridException notKnown) {
      unknown.increment();
    } catch (RetryableGridException notDone) {
      assertFalse(String.valueOf(notDone.getMessage()).isEmpty());
    }
  }
}
