package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.journal.JournalThreads;
import dev.isogrid.journal.SimulatedDisk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.TextKind;
import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Readers of a cache whose writes are forced see nothing that a crash may take back. */
class ForcedReadsTest {
  private static final String KEY = "key";

  private final TextKind<BinaryKey, Bytes> kind = TextKind.BINARY;
  private final FakeEnv env = new FakeEnv();
  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  private KeptEngine open(Fsync fsync) throws IOException {
    JournalThreads threads = new JournalThreads(tasks::add, (_, _) -> () -> {});
    KeptEngine.Sizes sizes = new KeptEngine.Sizes(100, 1 << 20, fsync);
    return new KeptEngine(kind, disk, sizes, env, threads);
  }

  private void work() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private static <R> FutureTask<R> begin(Callable<R> call) {
    FutureTask<R> task = new FutureTask<>(call);
    Thread thread = Thread.ofVirtual().start(task);
    Await.until(
        "a wait", () -> thread.getState() == Thread.State.TIMED_WAITING || !thread.isAlive());
    return task;
  }

  private int count(KeptEngine kept) {
    return kept.engine.container.segment(kind.key(KEY).hash()).count();
  }

  private boolean mayWait(KeptEngine kept) {
    return kept.engine.mayWait(kind.key(KEY).hash(), true);
  }

  @Test
  void read_ofAWriteThatIsNotForced_waitsForTheForce() throws Exception {
    KeptEngine kept = open(Fsync.EACH);
    assertNull(kept.get(KEY));
    assertFalse(mayWait(kept));
    FutureTask<Boolean> write =
        begin(() -> {
          kept.put(KEY, "value");
          return true;
        });
    Await.until("a write", () -> count(kept) == 1 && !tasks.isEmpty());

    assertTrue(mayWait(kept));
    FutureTask<String> read = begin(() -> kept.get(KEY));
    KeyWrite<BinaryKey, Bytes> condition =
        new KeyWrite<BinaryKey, Bytes>().put(kind.value("other")).when(KeyWrite.Condition.ABSENT);
    FutureTask<KeyWrite.Outcome> refused =
        begin(() -> {
          kept.write(KEY, condition);
          return condition.outcome();
        });
    assertFalse(write.isDone());
    assertFalse(read.isDone());
    assertFalse(refused.isDone());
    work();
    assertEquals("value", read.get());
    assertEquals(KeyWrite.Outcome.KEY_PRESENT, refused.get());
    assertTrue(write.get());
    assertFalse(mayWait(kept));
  }

  @Test
  void read_withAnotherPolicy_doesNotWait() throws IOException {
    KeptEngine kept = open(Fsync.INTERVAL);
    kept.put(KEY, "value");
    assertFalse(mayWait(kept));
    assertEquals("value", kept.get(KEY));
  }

  /** Ticks are those of the heartbeats, which a slow disk must not hold up. */
  @Test
  void expiredEntries_onTheDisk_areReadByTasks_notByTicks() throws IOException {
    KeptEngine kept = open(Fsync.NONE);
    for (int i = 0; i < 300; i++) {
      kept.write("key" + i, new KeyWrite<BinaryKey, Bytes>().put(kind.value("v")).expiry(1000, -1));
      work();
      env.runTasks();
    }
    assertTrue(kept.countInMemory() <= 100);
    AtomicInteger reads = new AtomicInteger();
    disk.whileReading(reads::incrementAndGet);
    env.advance(61_000);
    assertEquals(0, reads.get());
    env.runTasks();
    assertTrue(reads.get() > 0);
  }

  @Test
  void read_whileTheDiskFails_goesOn() throws Exception {
    KeptEngine kept = open(Fsync.EACH);
    FutureTask<Boolean> write =
        begin(() -> {
          kept.put(KEY, "value");
          return true;
        });
    Await.until("a write", () -> count(kept) == 1 && !tasks.isEmpty());
    disk.limit(0);
    work();
    Await.until("an answer", write::isDone);
    assertEquals("value", kept.get(KEY));
  }
}
