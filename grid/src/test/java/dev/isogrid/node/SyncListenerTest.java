package dev.isogrid.node;

import static dev.isogrid.api.CacheEvent.Kind.CREATED;
import static dev.isogrid.api.CacheEvent.Kind.EXPIRED;
import static dev.isogrid.api.CacheEvent.Kind.MODIFIED;
import static dev.isogrid.api.CacheEvent.Kind.REMOVED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.Subscription;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.store.ObjectTables;
import dev.isogrid.wire.KeyHash;
import dev.isogrid.wire.Segments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Listeners that writers call, over every storage. */
@ParameterizedClass
@EnumSource(StorageType.class)
class SyncListenerTest {
  private static final long DEADLINE_SECONDS = 120;

  private final StorageType storage;
  private final CacheFixture fixture;
  private final Cache<String, String> cache;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  SyncListenerTest(StorageType storage) {
    this.storage = storage;
    fixture = new CacheFixture(storage);
    cache = fixture.cache;
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    fixture.close();
  }

  private int segmentOf(String key) {
    int hash =
        storage == StorageType.HEAP_OBJECT ? ObjectTables.hash(key) : KeyHash.hash(bytesOf(key));
    return new Segments(cache.config().segments()).of(hash);
  }

  private static byte[] bytesOf(String key) {
    return ScalarMarshaller.INSTANCE.toBytes(key);
  }

  /** A key in another segment, or in the same one. */
  private String keyBeside(String key, boolean sameSegment) {
    for (int i = 0; ; i++) {
      if ((segmentOf("n" + i) == segmentOf(key)) == sameSegment) {
        return "n" + i;
      }
    }
  }

  private record Told(
      CacheEvent.Kind kind, String key, @Nullable String oldValue, @Nullable String value) {
    static Told of(CacheEvent<String, String> event) {
      return new Told(event.kind(), event.key(), event.oldValue(), event.value());
    }
  }

  /** Runs a task elsewhere, so that it fails instead of hanging. */
  private void inTime(Runnable task) throws Exception {
    threads.submit(task).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void listener_ofEveryChange_isToldBeforeTheWriteReturns() {
    List<Told> told = new ArrayList<>();
    List<Long> versions = new ArrayList<>();
    cache.addListener(event -> {
      told.add(Told.of(event));
      versions.add(event.version());
      assertEquals(event.value(), cache.get(event.key()), "the write took effect before");
    });

    cache.put("a", "1");
    assertEquals(List.of(fixture.entry("a").version()), versions);
    cache.put("a", "2", new Expiry(10, -1));
    cache.putIfAbsent("a", "x");
    cache.remove("none");
    fixture.env.moveClock(10);
    assertNull(cache.get("a"));
    cache.put("a", "3");
    cache.remove("a");

    assertEquals(
        List.of(
            new Told(CREATED, "a", null, "1"),
            new Told(MODIFIED, "a", "1", "2"),
            new Told(EXPIRED, "a", "2", null),
            new Told(CREATED, "a", null, "3"),
            new Told(REMOVED, "a", "3", null)),
        told);
    assertEquals(versions.stream().sorted().distinct().toList(), versions);
  }

  @Test
  void listener_ofClearAndReaper_isToldOfEachEntry() {
    for (int i = 0; i < 20; i++) {
      cache.put("k" + i, "v", i < 5 ? new Expiry(10, -1) : Expiry.NEVER);
    }
    Set<Told> told = new HashSet<>();
    Set<Told> expected = new HashSet<>();
    cache.addListener(event -> assertTrue(told.add(Told.of(event))));

    fixture.env.advance(cache.config().reaperIntervalMillis());
    for (int i = 0; i < 5; i++) {
      expected.add(new Told(EXPIRED, "k" + i, "v", null));
    }
    assertEquals(expected, told);
    cache.clear();

    for (int i = 5; i < 20; i++) {
      expected.add(new Told(REMOVED, "k" + i, "v", null));
    }
    assertEquals(expected, told);
  }

  @Test
  void listener_thatThrows_disturbsNeitherWriterNorOthers() {
    List<Told> told = new ArrayList<>();
    cache.addListener(event -> {
      throw new IllegalArgumentException("on purpose");
    });
    cache.addListener(event -> told.add(Told.of(event)));

    cache.put("a", "1");
    cache.put("a", "2");

    assertEquals("2", cache.get("a"));
    assertEquals(2, told.size());
  }

  @Test
  void listener_thatThrowsACheckedException_disturbsNeitherWriterNorOthers() {
    List<Told> told = new ArrayList<>();
    cache.addListener(_ -> Unseen.<RuntimeException>thrown(new IOException("on purpose")));
    cache.addListener(event -> told.add(Told.of(event)));

    cache.put("a", "1");
    cache.put("a", "2");

    assertEquals("2", cache.get("a"));
    assertEquals(2, told.size());
  }

  @Test
  void listener_thatFailsWithAnError_blocksNoLaterWriter() throws Exception {
    List<Told> told = new ArrayList<>();
    AtomicInteger left = new AtomicInteger(1);
    cache.addListener(event -> {
      if (left.getAndDecrement() > 0) {
        throw new LinkageError("on purpose");
      }
      told.add(Told.of(event));
    });

    assertThrows(LinkageError.class, () -> cache.put("a", "1"));
    inTime(() -> cache.put("a", "2"));

    assertEquals(List.of(new Told(MODIFIED, "a", "1", "2")), told);
  }

  @Test
  void listener_thatFailsWithAnError_leavesOthersTheirEvents() {
    List<Told> told = new ArrayList<>();
    cache.addListener(event -> {
      throw new LinkageError("on purpose");
    });
    cache.addListener(event -> told.add(Told.of(event)));

    assertThrows(LinkageError.class, () -> cache.put("a", "1"));

    assertEquals(List.of(new Told(CREATED, "a", null, "1")), told);
  }

  @Test
  void listener_thatWritesTheSameKey_isToldOfThatNext() throws Exception {
    List<Told> told = new ArrayList<>();
    cache.addListener(event -> {
      told.add(Told.of(event));
      int number = Integer.parseInt(Objects.requireNonNull(event.value()));
      if (number < 4) {
        cache.put(event.key(), String.valueOf(number + 1));
      }
    });

    inTime(() -> cache.put("a", "1"));

    assertEquals(
        List.of(
            new Told(CREATED, "a", null, "1"),
            new Told(MODIFIED, "a", "1", "2"),
            new Told(MODIFIED, "a", "2", "3"),
            new Told(MODIFIED, "a", "3", "4")),
        told);
  }

  @Test
  void listener_thatWritesOtherKeys_isToldOfAll() throws Exception {
    for (boolean sameSegment : new boolean[] {true, false}) {
      String other = keyBeside("a", sameSegment);
      List<String> told = new ArrayList<>();
      Subscription subscription =
          cache.addListener(event -> {
            told.add(event.key());
            if (event.key().equals("a")) {
              cache.put(other, "from listener");
            }
          });

      inTime(() -> cache.put("a", "1"));

      assertEquals(List.of("a", other), told);
      assertEquals("from listener", cache.get(other));
      subscription.close();
    }
  }

  @Test
  void twoWriters_whoseListenersWriteToEachOthersSegments_bothReturn() throws Exception {
    String left = "a";
    String right = keyBeside(left, false);
    CountDownLatch bothInListeners = new CountDownLatch(2);
    AtomicInteger told = new AtomicInteger();
    cache.addListener(event -> {
      told.incrementAndGet();
      if (Objects.equals(event.value(), "from writer")) {
        bothInListeners.countDown();
        await(bothInListeners);
        cache.put(event.key().equals(left) ? right : left, "from listener");
      }
    });

    Future<?> first = threads.submit(() -> cache.put(left, "from writer"));
    Future<?> second = threads.submit(() -> cache.put(right, "from writer"));
    first.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    second.get(DEADLINE_SECONDS, TimeUnit.SECONDS);

    assertEquals(4, told.get());
    assertEquals("from listener", cache.get(left));
    assertEquals("from listener", cache.get(right));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @Test
  void manyWriters_withWritingListeners_allReturnAndAllEventsCome() throws Exception {
    int writers = 4;
    int writes = 500;
    AtomicInteger told = new AtomicInteger();
    cache.addListener(event -> {
      told.incrementAndGet();
      if (!event.key().startsWith("echo")) {
        cache.put("echo" + event.key().hashCode() % 16, "v");
      }
    });

    inParallel(
        writers,
        writer -> {
          for (int i = 0; i < writes; i++) {
            cache.put("k" + i % 16, "w" + writer);
          }
        });

    assertEquals(writers * writes * 2, told.get());
  }

  /** The work of one of several threads. */
  private interface Work {
    void run(int thread);
  }

  private void inParallel(int count, Work work) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      running.add(threads.submit(() -> work.run(number)));
    }
    for (Future<?> each : running) {
      each.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  void events_ofOneSegment_comeOneAtATimeInVersionOrder() throws Exception {
    Map<Integer, AtomicInteger> inside = new ConcurrentHashMap<>();
    Map<String, Long> lastVersions = new ConcurrentHashMap<>();
    Map<String, String> lastValues = new ConcurrentHashMap<>();
    AtomicReference<@Nullable String> complaint = new AtomicReference<>();
    cache.addListener(event -> {
      AtomicInteger here = inside.computeIfAbsent(segmentOf(event.key()), _ -> new AtomicInteger());
      String value = Objects.requireNonNull(event.value());
      if (here.incrementAndGet() != 1) {
        complaint.set("two at a time: " + event);
      }
      Long version = lastVersions.put(event.key(), event.version());
      if (version != null && version >= event.version()) {
        complaint.set("late: " + event + " after " + version);
      }
      if (!Objects.equals(lastValues.put(event.key(), value), event.oldValue())) {
        complaint.set("old value is not the last one: " + event);
      }
      here.decrementAndGet();
    });

    inParallel(
        4,
        writer -> {
          for (int i = 0; i < 2000; i++) {
            cache.put("k" + i % 3, writer + "/" + i);
          }
        });

    assertNull(complaint.get());
    assertEquals(new HashMap<>(cache), lastValues);
  }

  @Test
  void write_thatReturned_wasTold() throws Exception {
    Map<String, String> told = new ConcurrentHashMap<>();
    cache.addListener(event -> told.put(event.key(), Objects.requireNonNull(event.value())));

    inParallel(
        4,
        writer -> {
          for (int i = 0; i < 2000; i++) {
            cache.put("k" + writer, "v" + i);
            assertEquals("v" + i, told.get("k" + writer));
          }
        });
  }

  @Test
  void write_whileOthersGoOnWriting_returnsAfterItsTurn() throws Exception {
    int others = 400;
    Thread writer = Thread.currentThread();
    AtomicInteger byWriter = new AtomicInteger();
    AtomicInteger left = new AtomicInteger(others);
    CountDownLatch all = new CountDownLatch(1 + others);
    cache.addListener(event -> {
      byWriter.addAndGet(Thread.currentThread().equals(writer) ? 1 : 0);
      if (left.getAndDecrement() > 0) {
        WaitingThread.begin(threads, () -> cache.put("a", "by another"));
      }
      all.countDown();
    });

    cache.put("a", "by the writer");

    assertTrue(all.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
    assertTrue(byWriter.get() < others / 2, "delivered by one writer: " + byWriter);
  }

  @Test
  void close_ofSubscription_endsTheDelivery() {
    List<Told> told = new ArrayList<>();
    List<Told> kept = new ArrayList<>();
    Subscription subscription = cache.addListener(event -> told.add(Told.of(event)));
    cache.addListener(event -> kept.add(Told.of(event)));
    cache.put("a", "1");

    subscription.close();
    subscription.close();
    cache.put("a", "2");

    assertEquals(1, told.size());
    assertEquals(2, kept.size());
  }

  @Test
  void close_ofSubscriptionByItsListener_endsTheDelivery() {
    AtomicReference<@Nullable Subscription> own = new AtomicReference<>();
    AtomicInteger told = new AtomicInteger();
    own.set(
        cache.addListener(event -> {
          told.incrementAndGet();
          Objects.requireNonNull(own.get()).close();
        }));

    cache.put("a", "1");
    cache.put("a", "2");

    assertEquals(1, told.get());
  }

  @Test
  void addListener_twiceTheSame_tellsTwice() {
    AtomicInteger told = new AtomicInteger();
    CacheListener<String, String> listener = event -> told.incrementAndGet();
    Subscription first = cache.addListener(listener);
    cache.addListener(listener);
    cache.put("a", "1");
    assertEquals(2, told.get());

    first.close();
    cache.put("a", "2");
    assertEquals(3, told.get());
  }

  @Test
  void listener_ofRead_runsInTheReadersThread() {
    AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    cache.put("a", "1", new Expiry(10, -1));
    cache.addListener(event -> thread.set(Thread.currentThread()));
    fixture.env.moveClock(10);

    cache.get("a");

    assertSame(Thread.currentThread(), thread.get());
  }
}
