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
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Entries whose time is over while the disk of their store fails. */
class HeldUpExpiryTest {
  private final FakeEnv env = new FakeEnv();
  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final List<Runnable> ticks = new ArrayList<>();

  private KeptEngine open() throws IOException {
    JournalThreads threads =
        new JournalThreads(
            tasks::add,
            (_, task) -> {
              ticks.add(task);
              return () -> {};
            });
    KeptEngine.Sizes sizes = new KeptEngine.Sizes(100, 1 << 20, Fsync.INTERVAL);
    return new KeptEngine(TextKind.BINARY, disk, sizes, env, threads);
  }

  private void work() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  @Test
  void entries_thatExpireWhileTheDiskFails_areRemovedWhenItWorks() throws IOException {
    KeptEngine kept = open();
    for (int i = 0; i < 20; i++) {
      kept.write(
          "key-" + i,
          new KeyWrite<BinaryKey, Bytes>().put(TextKind.BINARY.value("v")).expiry(1000, -1));
    }
    work();
    disk.limit(0);
    kept.put("other", "v");
    work();
    assertTrue(kept.journal.isFailing());
    env.moveClock(1000);
    long appended = kept.journal.appendedBytes();
    kept.engine.reapMemory();
    assertNull(kept.get("key-1"));
    assertEquals(appended, kept.journal.appendedBytes());
    disk.limit(Long.MAX_VALUE);
    ticks.forEach(Runnable::run);
    work();
    assertFalse(kept.journal.isFailing());
    kept.engine.reapMemory();
    assertTrue(kept.journal.appendedBytes() > appended);
    assertEquals(1, kept.countInMemory());
  }
}
