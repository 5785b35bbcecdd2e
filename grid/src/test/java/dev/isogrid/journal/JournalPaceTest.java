package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** When the task of a journal writes. */
class JournalPaceTest {
  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final Deque<Runnable> tasks = new ArrayDeque<>();

  private Journal open(Fsync fsync, Executor executor, JournalThreads.Pause pause)
      throws IOException {
    Recovery recovery = Recovery.open(disk, JournaledMap.SCOPE, new UUID(1, 2), false);
    JournalThreads threads = new JournalThreads(executor, (_, _) -> () -> {}, () -> 0, pause);
    JournalSettings settings = new JournalSettings(fsync, 1000, 1 << 20);
    return recovery.start(1, settings, 0, _ -> 0, threads);
  }

  private static long put(Journal journal, int valueLength) {
    return journal.append(new PutRecord(0, 1, EntryAttributes.NONE, 0, valueLength), 0);
  }

  @Test
  void append_whileTheTaskPauses_isWrittenWithOthersAndWakesNobody() throws IOException {
    Deque<Integer> puts = new ArrayDeque<>();
    Journal[] journal = {null};
    puts.add(100);
    journal[0] =
        open(
            Fsync.NONE,
            tasks::add,
            _ -> {
              for (int i = puts.isEmpty() ? 0 : puts.remove(); i > 0; i--) {
                put(journal[0], 10);
              }
            });
    long position = put(journal[0], 10);
    int steps = disk.steps();
    tasks.remove().run();
    assertEquals(0, tasks.size());
    assertEquals(steps + 2, disk.steps());
    assertTrue(journal[0].stats().fileBytes() > 100 * position);
  }

  @Test
  void append_thatIsForcedEach_doesNotPause() throws IOException {
    Journal journal =
        open(
            Fsync.EACH,
            tasks::add,
            _ -> {
              throw new AssertionError("paused");
            });
    long position = put(journal, 10);
    tasks.remove().run();
    assertTrue(journal.isForced(position));
  }

  @Test
  void appendOrForce_thatIsUrgent_endsThePause() throws IOException, InterruptedException {
    CountDownLatch pausing = new CountDownLatch(1);
    Journal journal =
        open(
            Fsync.NONE,
            Thread::startVirtualThread,
            _ -> {
              pausing.countDown();
              LockSupport.park();
            });
    put(journal, 10);
    pausing.await();
    int length = 300_000;
    put(journal, length);
    Await.until("the long queue", () -> journal.stats().fileBytes() > length);
    put(journal, 10);
    journal.forceSoon();
    long all = journal.appendedBytes();
    Await.until("force", () -> journal.isForced(all));
    put(journal, 10);
    assertTrue(journal.awaitWritten());
    journal.close();
    assertEquals(journal.stats().appendedBytes(), journal.stats().forcedBytes());
  }
}
