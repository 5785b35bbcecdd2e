package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.journal.JournalThreads;
import dev.isogrid.journal.SimulatedDisk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Segment;
import dev.isogrid.store.TextKind;
import java.io.IOException;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Writes that are done at once, and answered when the disk has them, without a thread. */
class UnforcedWritesTest {
  private final TextKind<BinaryKey, Bytes> kind = TextKind.BINARY;
  private final FakeEnv env = new FakeEnv();
  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private int done;

  private KeptEngine open(Fsync fsync, int maxCount) throws IOException {
    JournalThreads threads = new JournalThreads(tasks::add, (_, _) -> () -> {});
    KeptEngine.Sizes sizes = new KeptEngine.Sizes(maxCount, 1 << 20, fsync);
    return new KeptEngine(kind, disk, sizes, env, threads);
  }

  private void work() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private KeyWrite<BinaryKey, Bytes> put(String value) {
    return new KeyWrite<BinaryKey, Bytes>().put(kind.value(value));
  }

  private @Nullable PendingWrite begin(
      KeptEngine kept, String key, KeyWrite<BinaryKey, Bytes> write) {
    BinaryKey stored = kind.key(key);
    return kept.engine.tryBegin(stored, stored.hash(), write, () -> done++);
  }

  /** Takes the outcome as a server does: by a write that was made again. */
  private long finish(
      KeptEngine kept, String key, @Nullable PendingWrite begun, KeyWrite<BinaryKey, Bytes> again) {
    return kept.engine.finish(Objects.requireNonNull(begun), kind.key(key), again);
  }

  @Test
  void write_thatWasBegun_isAnsweredAfterTheForce() throws IOException {
    KeptEngine kept = open(Fsync.EACH, 100);
    PendingWrite first = begin(kept, "k", put("one"));
    PendingWrite second = begin(kept, "k", put("two").when(KeyWrite.Condition.PRESENT));
    PendingWrite refused = begin(kept, "k", put("three").when(KeyWrite.Condition.ABSENT));
    assertEquals(0, done);
    BinaryKey key = kind.key("k");
    assertTrue(kept.engine.mayWait(key.hash(), true));

    work();
    assertEquals(3, done);
    KeyWrite<BinaryKey, Bytes> answer = put("one");
    long version = finish(kept, "k", first, answer);
    assertNotEquals(0, version);
    assertEquals(KeyWrite.Outcome.DONE, answer.outcome());
    assertFalse(answer.existed());
    KeyWrite<BinaryKey, Bytes> next = put("two").when(KeyWrite.Condition.PRESENT);
    assertTrue(finish(kept, "k", second, next) > version);
    assertTrue(next.existed());
    KeyWrite<BinaryKey, Bytes> last = put("three").when(KeyWrite.Condition.ABSENT);
    assertEquals(0, finish(kept, "k", refused, last));
    assertEquals(KeyWrite.Outcome.KEY_PRESENT, last.outcome());
    assertEquals("two", kept.get("k"));
  }

  @Test
  void write_onADiskThatFails_isDoneAndNobodyKnowsWhetherItStays() throws IOException {
    KeptEngine kept = open(Fsync.EACH, 100);
    PendingWrite begun = begin(kept, "k", put("one"));
    disk.limit(0);
    work();
    assertEquals(1, done);
    IndeterminateGridException unknown =
        assertThrows(IndeterminateGridException.class, () -> finish(kept, "k", begun, put("one")));
    assertTrue(String.valueOf(unknown.getMessage()).contains("not on the disk"));
    assertThrows(RetryableGridException.class, () -> begin(kept, "k", put("two")));
    assertEquals("one", kept.get("k"));
  }

  @Test
  void write_thatHasToWaitForMore_isNotBegun() throws IOException {
    KeptEngine kept = open(Fsync.EACH, 10);
    BinaryKey key = kind.key("k");
    Segment<BinaryKey, Bytes> segment = kept.engine.container.segment(key.hash());
    Thread holder = Thread.ofPlatform().start(segment::lock);
    join(holder);
    assertNull(begin(kept, "k", put("one")));
    assertEquals(0, kept.countInMemory());
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @Test
  void write_ofAnEvictedEntry_isNotBegun() throws IOException {
    KeptEngine kept = open(Fsync.EACH, 4);
    for (int i = 0; i < 40; i++) {
      assertNotNull(begin(kept, "k" + i, put("v")));
      work();
      env.runTasks();
    }
    assertTrue(kept.countInMemory() < 20);
    int begun = done;
    int refused = 0;
    for (int i = 0; i < 40; i++) {
      refused += begin(kept, "k" + i, put("w").when(KeyWrite.Condition.PRESENT)) == null ? 1 : 0;
    }
    work();
    assertTrue(refused >= 20, "refused=" + refused);
    assertEquals(40 - refused, done - begun);
  }

  @Test
  void write_thatAsksForTheValueBefore_orWaitsForNoDisk_isNotBegun() throws IOException {
    KeptEngine kept = open(Fsync.EACH, 100);
    assertNull(begin(kept, "k", put("one").readingPrevious(_ -> {})));
    KeptEngine other = open(Fsync.INTERVAL, 100);
    assertNull(begin(other, "k", put("one")));
    assertEquals(0, kept.countInMemory() + other.countInMemory());
  }
}
