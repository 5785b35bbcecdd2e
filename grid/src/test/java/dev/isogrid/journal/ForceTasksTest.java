package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.Test;

/** Tasks are called when records were forced, or nobody knows whether they will be. */
class ForceTasksTest {
  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final ConcurrentLinkedDeque<Runnable> work = new ConcurrentLinkedDeque<>();
  private final List<Runnable> ticks = new ArrayList<>();
  private final List<String> called = new ArrayList<>();

  private Journal open() throws IOException {
    Recovery recovery = Recovery.open(disk, JournaledMap.SCOPE, new UUID(1, 2), false);
    JournalThreads.Ticks every =
        (_, task) -> {
          ticks.add(task);
          return () -> {};
        };
    JournalSettings settings = new JournalSettings(Fsync.EACH, 1000, 1 << 20);
    return recovery.start(1, settings, 0, _ -> 0, new JournalThreads(work::add, every));
  }

  private long put(Journal journal, String name) {
    long position = journal.append(new PutRecord(0, 1, EntryAttributes.NONE, 0, name.length()), 0);
    journal.afterForce(position, () -> called.add(name));
    return position;
  }

  private static String refusal(Journal journal, long position) {
    return String.valueOf(
        assertThrows(IndeterminateGridException.class, () -> journal.checkForced(position))
            .getMessage());
  }

  @Test
  void task_isCalledAfterTheForceOfItsRecord() throws IOException {
    Journal journal = open();
    long first = put(journal, "first");
    disk.whileForcing(() -> {
      assertEquals(List.of(), called);
      long late = put(journal, "late");
      assertTrue(refusal(journal, late).contains("no answer"));
      disk.whileForcing(() -> assertEquals(List.of("first"), called));
    });
    work.remove().run();
    assertEquals(List.of("first", "late"), called);
    journal.checkForced(first);
    journal.checkForced(journal.appendedBytes());
  }

  @Test
  void task_ofARecordThatIsForced_isCalledAtOnce() throws IOException {
    Journal journal = open();
    long position = put(journal, "one");
    work.remove().run();
    journal.afterForce(position, () -> called.add("again"));
    assertEquals(List.of("one", "again"), called);
  }

  @Test
  void diskThatFails_letsAllBeCalled_andSaysThatNobodyKnows() throws IOException {
    Journal journal = open();
    long first = put(journal, "first");
    long[] late = {0};
    disk.limit(0);
    disk.whileForcing(() -> late[0] = put(journal, "late"));
    work.remove().run();
    assertEquals("first", called.getFirst());
    assertTrue(refusal(journal, first).contains("disk"));
    put(journal, "at once");
    assertEquals("at once", called.getLast());
    disk.limit(Long.MAX_VALUE);
    disk.whileForcing(() -> {});
    ticks.forEach(Runnable::run);
    while (!work.isEmpty()) {
      work.remove().run();
    }
    assertDoesNotThrow(() -> journal.checkForced(first));
    assertEquals(called.size(), called.stream().distinct().count());
  }

  @Test
  void diskThatDoesNotAnswer_letsTasksBeCalledAfterHalfAMinute() throws IOException {
    Journal journal = open();
    long first = put(journal, "first");
    ticks.forEach(Runnable::run);
    long second = put(journal, "second");
    for (int tick = 1; tick < 30; tick++) {
      assertEquals(List.of(), called);
      ticks.forEach(Runnable::run);
    }
    assertEquals(List.of("first"), called);
    assertTrue(refusal(journal, first).contains("no answer for 30 s"));
    ticks.forEach(Runnable::run);
    assertEquals(List.of("first", "second"), called);
    work.remove().run();
    assertEquals(2, called.size());
    journal.checkForced(second);
  }

  @Test
  void journalThatCloses_callsAll() throws IOException {
    Journal journal = open();
    long position = put(journal, "one");
    Thread closer = Thread.ofVirtual().start(journal::close);
    Await.until(
        "the end",
        () -> {
          Runnable task = work.poll();
          if (task != null) {
            task.run();
          }
          return !closer.isAlive();
        });
    assertEquals(List.of("one"), called);
    journal.checkForced(position);
  }
}
