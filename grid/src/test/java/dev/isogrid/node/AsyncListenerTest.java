package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners that threads of the grid call; those run when the test says so. */
class AsyncListenerTest {
  /** The documented limits of the API. */
  private static final int EVENTS_MAX = 65_536;

  private static final int BYTES_MAX = 64 << 20;

  private static final long DEADLINE_SECONDS = 120;

  private final CacheFixture fixture = new CacheFixture(StorageType.HEAP_OBJECT);
  private final Cache<String, String> cache = fixture.cache;
  private final List<String> told = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    threads.shutdownNow();
    fixture.close();
  }

  private Subscription listen(CacheListener<String, String> listener) {
    return cache.addListener(listener, CacheListener.Delivery.ASYNC);
  }

  private Subscription record() {
    return listen(event -> told.add(event.key() + "=" + event.value()));
  }

  /** Writes as many events as may wait. */
  private void fillTheQueue() {
    for (int i = 0; i < EVENTS_MAX; i++) {
      cache.put("k" + i % 100, "v");
    }
  }

  private Future<?> blockedWrite() {
    return WaitingThread.begin(threads, () -> cache.put("blocked", "v"));
  }

  @Test
  void events_ofWrites_comeLaterAndInOrder() {
    record();

    cache.put("a", "1");
    cache.put("a", "2");
    cache.remove("a");
    assertEquals(List.of(), told);

    assertEquals(1, fixture.env.runTasks());
    assertEquals(List.of("a=1", "a=2", "a=null"), told);
    cache.put("b", "3");
    assertEquals(1, fixture.env.runTasks());
    assertEquals("b=3", told.getLast());
  }

  @Test
  void listener_thatThrows_getsTheNextEvents() {
    listen(event -> {
      told.add(event.key());
      throw new IllegalArgumentException("on purpose");
    });
    cache.put("a", "1");
    cache.put("b", "1");

    fixture.env.runTasks();

    assertEquals(List.of("a", "b"), told);
  }

  @Test
  void listener_thatFailsWithAnError_getsTheNextEvents() {
    listen(event -> {
      told.add(event.key());
      if (told.size() == 1) {
        throw new LinkageError("on purpose");
      }
    });
    cache.put("a", "1");
    cache.put("b", "1");
    assertThrows(LinkageError.class, fixture.env::runTasks); // a thread of the grid would end

    cache.put("c", "1");
    fixture.env.runTasks();

    assertEquals(List.of("a", "b", "c"), told);
  }

  @Test
  void close_ofSubscription_dropsWhatWaits() {
    Subscription subscription = record();
    cache.put("a", "1");

    subscription.close();
    subscription.close();
    cache.put("b", "1");
    fixture.env.runTasks();

    assertEquals(List.of(), told);
  }

  @Test
  void write_whenTheQueueIsFull_waitsForRoom() throws Exception {
    record();
    fillTheQueue();

    Future<?> write = blockedWrite();
    fixture.env.runTasks();
    write.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    fixture.env.runTasks();

    assertEquals(EVENTS_MAX + 1, told.size());
    assertEquals("blocked=v", told.getLast());
  }

  @Test
  void write_ofLargeValues_waitsForRoomSooner() throws Exception {
    try (CacheFixture large = new CacheFixture(StorageType.HEAP_BINARY)) {
      AtomicInteger count = new AtomicInteger();
      large.cache.addListener(_ -> count.incrementAndGet(), CacheListener.Delivery.ASYNC);
      String value = "v".repeat(1 << 20);
      for (int i = 0; i < BYTES_MAX >> 20; i++) {
        large.cache.put("k" + i, value);
      }

      Future<?> write = WaitingThread.begin(threads, () -> large.cache.put("blocked", "v"));
      large.env.runTasks();
      write.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      large.env.runTasks();

      assertEquals((BYTES_MAX >> 20) + 1, count.get());
    }
  }

  @Test
  void write_thatWaitsForRoom_isLetGoByCloseOfTheSubscription() throws Exception {
    Subscription subscription = record();
    fillTheQueue();
    Future<?> write = blockedWrite();

    subscription.close();

    write.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    assertEquals("v", cache.get("blocked"));
  }

  @Test
  void listener_thatWritesWhileItsQueueIsFull_doesNotWait() throws Exception {
    AtomicInteger count = new AtomicInteger();
    listen(event -> {
      if (count.incrementAndGet() <= 10) {
        cache.put("from listener", "v");
      }
    });
    fillTheQueue();

    Future<?> worker = threads.submit(fixture.env::runTasks);
    worker.get(DEADLINE_SECONDS, TimeUnit.SECONDS);

    assertEquals(EVENTS_MAX + 10, count.get());
  }

  @Test
  void write_afterTheSchedulerClosed_isDoneAndBlocksNoOther() throws Exception {
    record();
    fixture.env.env().scheduler().close();

    Future<?> first = threads.submit(() -> cache.put("a", "1"));
    first.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    Future<?> second = threads.submit(() -> cache.put("a", "2"));
    second.get(DEADLINE_SECONDS, TimeUnit.SECONDS);

    assertEquals("2", cache.get("a"));
  }

  @Test
  void listeners_ofRealGrid_areToldByThreadsOfItsOwn() throws Exception {
    int writes = 3000;
    try (Node node = Node.start(GridConfig.builder().build(), Env.system())) {
      Cache<String, String> real = node.createCache("c", CacheConfig.builder().segments(4).build());
      CountDownLatch all = new CountDownLatch(3 * writes);
      ConcurrentLinkedQueue<String> values = new ConcurrentLinkedQueue<>();
      AtomicInteger foreign = new AtomicInteger();
      real.addListener(
          event -> {
            foreign.addAndGet(Thread.currentThread().isVirtual() ? 0 : 1);
            if (event.key().equals("a")) {
              values.add(Objects.requireNonNull(event.value()));
              real.put("b", "echo " + event.value());
            } else if (!Objects.requireNonNull(event.value()).startsWith("again")) {
              real.put("b", "again " + event.value());
            }
            all.countDown();
          },
          CacheListener.Delivery.ASYNC);
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < writes; i++) {
        real.put("a", "v" + i);
        expected.add("v" + i);
      }

      assertTrue(all.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
      assertEquals(expected, List.copyOf(values));
      assertEquals(0, foreign.get());
    }
  }
}
