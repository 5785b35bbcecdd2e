package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import dev.isogrid.wire.Opcodes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Nothing is forgotten when the turn and the watch go from thread to thread. A wake-up that gets
 * lost shows as an operation that ends by its deadline, or as a wait of a test that does not end.
 */
class EventLoopTest {
  private static final long SEED = Long.getLong("seed", System.nanoTime());
  private static final int WAIT_SECONDS = 60;

  /** An operation whose thread waits, with something that happens when the loop looks at it. */
  private static final class Looked extends Operation<String> {
    private final Deque<Runnable> whenLooked;

    Looked(Runnable... whenLooked) {
      super(anyFormat());
      this.whenLooked = new ArrayDeque<>(List.of(whenLooked));
      mark(AWAITED);
    }

    private static RequestFormat anyFormat() {
      ObjectFormat objects = new ObjectFormat(new StringMarshaller());
      CacheRef cache = new CacheRef("c", ClientConfig.builder().build());
      return new RequestFormat(cache, 0, Intelligence.BASIC, objects, objects);
    }

    @Override
    public boolean isDone() {
      Runnable next = whenLooked.poll();
      if (next != null) {
        next.run();
      }
      return super.isDone();
    }

    @Override
    int opcode() {
      return Opcodes.PING;
    }

    @Override
    String decode(ResponseReader in, int status) {
      return "";
    }
  }

  private static void runElsewhere(Runnable body) {
    CompletableFuture.runAsync(body).orTimeout(WAIT_SECONDS, TimeUnit.SECONDS).join();
  }

  private static void withUnstartedLoop(Consumer<EventLoop> body) {
    SchemaWaits waits = new SchemaWaits();
    body.accept(new EventLoop("loop", waits));
    waits.close();
  }

  @Test
  void workAddedAtTheEndOfATurn_isDoneByTheThreadThatEndsIt() {
    withUnstartedLoop(loop -> {
      AtomicBoolean isDone = new AtomicBoolean();
      Looked operation = new Looked(() -> runElsewhere(() -> loop.execute(() -> isDone.set(true))));
      loop.execute(() -> loop.sent(operation)); // looks at it after all work was done
      assertTrue(isDone.get());
    });
  }

  @Test
  void operationThatEndsWhileItIsAppointed_doesNotKeepTheWatch() {
    withUnstartedLoop(loop -> {
      Looked ending = new Looked();
      ending.whenLooked.add(() -> {}); // before it is appointed
      ending.whenLooked.add(() -> runElsewhere(() -> ending.succeed("")));
      loop.execute(() -> loop.sent(ending));
      assertNull(ending.watched);
      loop.execute(() -> loop.settled(ending));
    });
  }

  @Test
  void operationThatLetsGo_handsTheWatchToTheNextOne() {
    withUnstartedLoop(loop -> {
      Looked first = new Looked();
      Looked second = new Looked();
      loop.execute(() -> {
        loop.sent(second);
        loop.sent(first);
      });
      assertSame(loop, first.watched);
      first.fail(new HotRodClientException("given up"));
      first.letGo();
      assertNull(first.watched);
      loop.execute(() -> loop.settled(first));
      assertNull(second.watched, "the loop's own thread has the watch, for the late answer");
    });
  }

  /** An operation that nobody waits for. */
  private static class Unawaited extends Operation<String> {
    Unawaited() {
      super(Looked.anyFormat());
    }

    @Override
    int opcode() {
      return Opcodes.PING;
    }

    @Override
    String decode(ResponseReader in, int status) {
      return "";
    }
  }

  /** An operation whose result can't be read, since a class of the user is broken. */
  private static final class Broken extends Unawaited {
    Broken() {
      mark(UNDECODED);
    }

    @Override
    String resolved(String result) {
      throw new NoClassDefFoundError("test");
    }
  }

  @Test
  void workThatIsLeft_isDoneByTheOwnThread() throws Exception {
    SchemaWaits waits = new SchemaWaits();
    EventLoop loop = new EventLoop("loop", waits);
    loop.start();
    CompletableFuture<String> doer = new CompletableFuture<>();
    loop.leave(() -> doer.complete(Thread.currentThread().getName()));
    assertEquals("loop", doer.get(WAIT_SECONDS, TimeUnit.SECONDS));
    loop.close();
    waits.close();
  }

  @Test
  void timerThatFailsOnce_goesOn() throws Exception {
    SchemaWaits waits = new SchemaWaits();
    EventLoop loop = new EventLoop("loop", waits);
    loop.start();
    AtomicInteger runs = new AtomicInteger();
    CompletableFuture<Boolean> hasGoneOn = new CompletableFuture<>();
    Runnable body =
        () -> {
          if (runs.incrementAndGet() == 1) {
            throw new OutOfMemoryError("as a test");
          }
          hasGoneOn.complete(true);
        };
    loop.scheduleAtFixedRate(body, 1, TimeUnit.MILLISECONDS.toNanos(1));
    assertTrue(hasGoneOn.get(WAIT_SECONDS, TimeUnit.SECONDS));
    loop.close();
    waits.close();
  }

  @Test
  void resultOfABrokenClass_failsItsOperation_andNoOther() throws Exception {
    SchemaWaits waits = new SchemaWaits();
    EventLoop loop = new EventLoop("loop", waits);
    loop.start();
    Broken broken = new Broken();
    Unawaited other = new Unawaited();
    loop.execute(() -> {
      loop.succeed(broken, "");
      loop.succeed(other, "read");
    });
    assertEquals("read", other.get(WAIT_SECONDS, TimeUnit.SECONDS));
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> broken.get(WAIT_SECONDS, TimeUnit.SECONDS));
    assertInstanceOf(NoClassDefFoundError.class, failed.getCause());
    loop.close();
    waits.close();
  }

  @Test
  void callbackOfAnAnswerThatAnotherThreadRead_holdsNoCallerUp() throws Exception {
    try (TestServer server = new TestServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(
                server.client().operationTimeoutMillis(5_000).eventLoops(1).build())) {
      RemoteCache<String, String> cache =
          Objects.requireNonNull(manager.<String, String>getCache("default"));
      cache.put("k", "v");
      EventLoop loop = manager.router().transport().nextLoop();
      CountDownLatch mayEnd = new CountDownLatch(1);
      CompletableFuture<Boolean> isCalled = new CompletableFuture<>();
      Unawaited answered = new Unawaited();
      answered.thenRun(() -> {
        isCalled.complete(true);
        Await.until("the end of the callback", () -> mayEnd.getCount() == 0);
      });
      try {
        loop.execute(() -> loop.succeed(answered, "")); // by this thread, unless the loop works
        assertTrue(isCalled.get(WAIT_SECONDS, TimeUnit.SECONDS));
        assertEquals("v", cache.get("k"));
      } finally {
        mayEnd.countDown();
      }
    }
  }

  /** Callers of all kinds come and go, so that the watch goes round all the time. */
  @Test
  void callsOfAllKinds_eachGetsItsAnswer() throws Exception {
    try (TestServer server = new TestServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(server.client().eventLoops(1).retriesMax(0).build())) {
      RemoteCache<String, String> cache =
          Objects.requireNonNull(manager.<String, String>getCache("default"));
      List<Callable<Integer>> callers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int number = i;
        callers.add(() -> call(cache, number));
      }
      ExecutorService platform = Executors.newFixedThreadPool(6);
      ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();
      try {
        List<Future<Integer>> ends = new ArrayList<>();
        for (int i = 0; i < callers.size(); i++) {
          ends.add((i < 6 ? platform : virtual).submit(callers.get(i)));
        }
        for (Future<Integer> end : ends) {
          assertEquals(2_000, end.get(), "seed=" + SEED);
        }
      } finally {
        platform.shutdownNow();
        virtual.shutdownNow();
      }
    }
  }

  /** Many callers share writes and reads; what they leave behind does not hold up a lone one. */
  @Test
  void callsOfACrowd_eachGetsItsAnswer_andTheCrowdEndsWithThem() throws Exception {
    try (TestServer server = new TestServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(server.client().eventLoops(1).retriesMax(0).build())) {
      RemoteCache<String, String> cache =
          Objects.requireNonNull(manager.<String, String>getCache("default"));
      EventLoop loop = manager.router().transport().nextLoop();
      for (int round = 0; round < 5; round++) {
        AtomicBoolean isEnding = new AtomicBoolean();
        ExecutorService platform = Executors.newFixedThreadPool(12);
        try {
          List<Future<Boolean>> ends = new ArrayList<>();
          for (int i = 0; i < 12; i++) {
            String key = "key-" + i;
            ends.add(platform.submit(() -> callInACrowd(cache, key, isEnding)));
          }
          Await.until("a crowd", loop::isCrowded);
          isEnding.set(true);
          for (Future<Boolean> end : ends) {
            assertTrue(end.get(WAIT_SECONDS, TimeUnit.SECONDS), "seed=" + SEED);
          }
        } finally {
          platform.shutdownNow();
        }
        for (int i = 0; i < 100; i++) {
          assertEquals("500", cache.get("key-0"));
        }
        assertFalse(loop.isCrowded());
      }
    }
  }

  private static boolean callInACrowd(
      RemoteCache<String, String> cache, String key, AtomicBoolean isEnding) {
    SplittableRandom random = new SplittableRandom(SEED + key.hashCode());
    boolean isRight = true;
    for (int i = 0; i < 500 || !isEnding.get(); i++) {
      String value = Integer.toString(i);
      cache.put(key, value);
      isRight &= value.equals(cache.get(key));
      if (random.nextInt(64) == 0) {
        LockSupport.parkNanos(random.nextInt(500_000)); // the crowd comes and goes
      }
    }
    cache.put(key, "500");
    return isRight;
  }

  private static int call(RemoteCache<String, String> cache, int number) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED + number);
    String key = "key-" + number;
    int right = 0;
    for (int i = 0; i < 2_000; i++) {
      String value = Integer.toString(i);
      switch (random.nextInt(8)) {
        case 0 -> cache.putAsync(key, value).get(WAIT_SECONDS, TimeUnit.SECONDS);
        case 1 -> interrupted(cache, key, value);
        case 2 -> cache.putAsync(key, value).thenRun(() -> {}).get(WAIT_SECONDS, TimeUnit.SECONDS);
        default -> cache.put(key, value);
      }
      if (random.nextInt(64) == 0) {
        LockSupport.parkNanos(random.nextInt(500_000)); // all others may be idle meanwhile
      }
      boolean isRight = value.equals(random.nextBoolean() ? cache.get(key) : later(cache, key));
      right += isRight ? 1 : 0;
    }
    return right;
  }

  private static @Nullable String later(RemoteCache<String, String> cache, String key)
      throws Exception {
    return cache.getAsync(key).get(WAIT_SECONDS, TimeUnit.SECONDS);
  }

  /** A caller that is interrupted while it waits, perhaps with the watch, gives that back. */
  private static void interrupted(RemoteCache<String, String> cache, String key, String value) {
    Thread.currentThread().interrupt();
    try {
      cache.get(key);
    } catch (HotRodClientException expected) {
      assertTrue(String.valueOf(expected.getMessage()).contains("interrupted"));
    }
    assertTrue(Thread.interrupted());
    cache.put(key, value);
  }
}
