package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.DistributedSemaphore;
import dev.isogrid.api.FencedLock;
import dev.isogrid.api.Grid;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Locks;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Locks, semaphores and sequences of a node that is alone. */
class LocksTest {
  private final Grid grid = Grid.start();
  private final Locks locks = grid.locks();

  @AfterEach
  void close() {
    grid.close();
  }

  private static void inOtherThread(Runnable check) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread = Thread.ofVirtual().start(check);
    thread.setUncaughtExceptionHandler((_, thrown) -> failure.set(thrown));
    thread.join();
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  @Test
  void lock_isOneThreadsAtATime() throws InterruptedException {
    FencedLock lock = locks.lock("x");
    assertEquals(1, lock.lock());
    assertTrue(lock.isLocked());
    assertTrue(lock.isLockedByMe());
    assertEquals(1, lock.fence());
    assertThrows(InvalidRequestException.class, lock::tryLock);
    inOtherThread(() -> {
      assertEquals(0, lock.tryLock());
      assertEquals(0, lock.tryLock(20, TimeUnit.MILLISECONDS));
      assertFalse(lock.isLockedByMe());
      assertThrows(InvalidRequestException.class, lock::unlock);
      assertThrows(InvalidRequestException.class, lock::fence);
    });
    lock.unlock();
    assertFalse(lock.isLocked());
    assertThrows(InvalidRequestException.class, lock::unlock);
    inOtherThread(() -> assertEquals(2, locks.lock("x").tryLock()));
    assertEquals(Set.of(), grid.cacheNames());
  }

  @Test
  void lock_ofWaitingThreads_isGivenToEachOnce() throws InterruptedException {
    FencedLock lock = locks.lock("x");
    AtomicInteger inside = new AtomicInteger();
    Set<Long> fences = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int round = 0; round < 25; round++) {
                  long fence = lock.lock();
                  if (inside.incrementAndGet() == 1 && fence > 0) {
                    fences.add(fence);
                  }
                  inside.decrementAndGet();
                  lock.unlock();
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(200, fences.size());
    assertEquals(201, lock.tryLock());
  }

  @Test
  void forceUnlock_letsAnotherOneIn() throws InterruptedException {
    FencedLock lock = locks.lock("x");
    lock.lock();
    inOtherThread(() -> {
      assertTrue(lock.forceUnlock());
      assertFalse(lock.forceUnlock());
      assertEquals(2, lock.tryLock());
    });
    assertFalse(lock.isLockedByMe());
    lock.unlock(); // changes nothing
    assertTrue(lock.isLocked());
  }

  @Test
  void waiting_whenInterrupted_ends() throws InterruptedException {
    FencedLock lock = locks.lock("x");
    lock.lock();
    inOtherThread(() -> {
      Thread.currentThread().interrupt();
      assertThrows(RetryableGridException.class, lock::lock);
      assertTrue(Thread.interrupted());
    });
  }

  @Test
  void semaphore_withAnotherNumberOfPermits_isRefused() {
    locks.semaphore("x", 2).acquire(1);
    assertSame(locks.semaphore("x", 2), locks.semaphore("x", 2));
    String message =
        String.valueOf(
            assertThrows(InvalidRequestException.class, () -> locks.semaphore("x", 5))
                .getMessage());
    assertTrue(message.contains("name=x, permits=2, asked=5"), message);
  }

  @Test
  void semaphore_givesNoMorePermitsThanItHas() throws InterruptedException {
    DistributedSemaphore semaphore = locks.semaphore("x", 3);
    semaphore.acquire(2);
    assertEquals(1, semaphore.availablePermits());
    assertFalse(semaphore.tryAcquire(2, 10, TimeUnit.MILLISECONDS));
    assertTrue(semaphore.tryAcquire());
    assertFalse(semaphore.tryAcquire());
    inOtherThread(() -> semaphore.release(2));
    assertEquals(2, semaphore.availablePermits());
    assertThrows(InvalidRequestException.class, () -> semaphore.release(2));
    semaphore.release();
    assertEquals(3, semaphore.availablePermits());
    assertThrows(InvalidRequestException.class, () -> semaphore.acquire(4));
    assertThrows(InvalidRequestException.class, () -> semaphore.acquire(0));
  }

  @Test
  void semaphore_underLoad_isNeverOverdrawn() throws InterruptedException {
    DistributedSemaphore semaphore = locks.semaphore("x", 3);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int round = 0; round < 20; round++) {
                  semaphore.acquire();
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  inside.decrementAndGet();
                  semaphore.release();
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertTrue(most.get() <= 3, most::toString);
    assertEquals(3, semaphore.availablePermits());
  }

  @Test
  void sequence_withAnotherBlock_isRefused() {
    Sequence sequence = locks.sequence("b", 10);
    assertSame(sequence, locks.sequence("b", 10));
    InvalidRequestException refused =
        assertThrows(InvalidRequestException.class, () -> locks.sequence("b", 100));
    assertEquals(
        "sequence has another block on this node: name=b, block=10, wanted=100; use the same"
            + " everywhere on a node",
        refused.getMessage());
  }

  @Test
  void sequence_givesEachNumberOnce() throws InterruptedException {
    Sequence sequence = locks.sequence("x", 10);
    assertEquals(1, sequence.next());
    Set<Long> numbers = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                long last = 0;
                for (int round = 0; round < 500; round++) {
                  long next = sequence.next();
                  if (next > last) {
                    numbers.add(next);
                  }
                  last = next;
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(4000, numbers.size());
    assertEquals(4002, sequence.next());
  }

  @Test
  void names_andNumbers_outOfRange_areRefused() {
    assertThrows(InvalidRequestException.class, () -> locks.lock(""));
    assertThrows(InvalidRequestException.class, () -> locks.lock("n".repeat(256)));
    assertThrows(InvalidRequestException.class, () -> locks.semaphore("s", 0));
    assertThrows(InvalidRequestException.class, () -> locks.semaphore("s", Locks.PERMITS_MAX + 1));
    assertThrows(InvalidRequestException.class, () -> locks.sequence("q", 0));
    assertThrows(InvalidRequestException.class, () -> locks.sequence("q", Locks.BLOCK_MAX + 1));
  }
}
