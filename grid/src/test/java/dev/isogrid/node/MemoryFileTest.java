package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.cluster.Ballot;
import dev.isogrid.cluster.Memory;
import dev.isogrid.cluster.MemoryLayout;
import dev.isogrid.journal.DiskFile;
import dev.isogrid.journal.SimulatedDisk;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryFileTest {
  private static final NodeId SELF = new NodeId(1, 2);

  private final FakeEnv env = new FakeEnv();
  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final List<Integer> told = new ArrayList<>();

  private MemoryFile open() {
    return new MemoryFile(() -> disk, env.env().scheduler());
  }

  private static Memory memory(int epoch) {
    Topology topology =
        new Topology(
            epoch,
            List.of(new Member(SELF, 1, MemberProfile.ofCapacity(1))),
            List.of(SELF),
            List.of(new CacheGroup(1, 1, false)),
            List.of(new SegmentOwners(1, SELF, List.of(SELF), List.of())),
            List.of(),
            0);
    return new Memory(SELF, topology, Ballot.NONE, null);
  }

  private void keep(MemoryFile file, int epoch) {
    file.keep(memory(epoch), () -> told.add(epoch));
  }

  @Test
  void read_afterKeep_isTheLastMemory() {
    MemoryFile file = open();
    assertNull(file.read());
    for (int epoch = 1; epoch <= 5; epoch++) {
      keep(file, epoch);
      env.runTasks();
      assertEquals(memory(epoch), open().read());
    }
    assertEquals(List.of(1, 2, 3, 4, 5), told);
  }

  @Test
  void keep_whileTheDiskIsFull_isKept() {
    MemoryFile file = open();
    keep(file, 1);
    env.runTasks();
    disk.limit(disk.bytes());
    for (int epoch = 2; epoch <= 4; epoch++) {
      keep(file, epoch);
      env.runTasks();
    }
    assertEquals(List.of(1, 2, 3, 4), told);
    assertEquals(memory(4), open().read());
  }

  @Test
  void ticks_whileTheDiskFails_leaveItToOtherThreads() {
    MemoryFile file = open();
    keep(file, 1);
    env.runTasks();
    disk.failAt(1);
    keep(file, 2);
    env.runTasks();
    assertEquals(List.of(1), told);

    int steps = disk.steps();
    env.advance(10_000);
    assertEquals(steps, disk.steps());
    disk.failAt(0);
    assertEquals(1, env.runTasks());
    assertEquals(List.of(1, 2), told);
    env.advance(10_000);
    assertEquals(0, env.runTasks(), "nothing is wanted");
  }

  @Test
  void powerLoss_atAnyStep_leavesWhatWasToldOrNewer() {
    for (int seed = 0; seed < 300; seed++) {
      SimulatedDisk each = new SimulatedDisk(new Random(seed));
      int last = 0;
      for (int life = 0; life < 4; life++) {
        last = live(each, last, 1 + new Random(seed + 1000L * life).nextInt(25));
      }
    }
  }

  /** Keeps memories until the power goes off; returns the epoch of what is there then. */
  private int live(SimulatedDisk each, int before, int step) {
    List<Integer> kept = new ArrayList<>(List.of(before));
    MemoryFile file = new MemoryFile(() -> each, env.env().scheduler());
    int epoch = before;
    try {
      Memory found = file.read();
      assertEquals(before, found == null ? 0 : found.topology().epoch());
      each.losePowerAt(step);
      while (true) {
        int next = ++epoch;
        file.keep(memory(next), () -> kept.add(next));
        env.runTasks();
      }
    } catch (SimulatedDisk.PowerLoss _) {
      env.runTasks();
    }
    each.losePower();
    Memory after = new MemoryFile(() -> each, env.env().scheduler()).read();
    int is = after == null ? 0 : after.topology().epoch();
    assertTrue(is >= kept.getLast() && is <= epoch, is + " of " + kept);
    return is;
  }

  @Test
  void read_ofDamagedBytes_refuses() throws IOException {
    MemoryFile file = open();
    keep(file, 1);
    env.runTasks();
    keep(file, 2);
    env.runTasks();
    for (String slot : List.of("memory.0", "memory.1")) {
      try (DiskFile open = disk.open(slot)) {
        ByteBuffer one = ByteBuffer.allocate(1);
        open.read(one, 60);
        open.write(ByteBuffer.wrap(new byte[] {(byte) (one.get(0) ^ 8)}), 60);
      }
    }
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> open().read());
    assertTrue(String.valueOf(refusal.getMessage()).contains("memory.1"), refusal::getMessage);
  }

  @Test
  void memoryOfAnEarlierVersion_isRead_andReplaced() throws IOException {
    try (DiskFile older = disk.create("memory-1f")) {
      older.write(ByteBuffer.wrap(MemoryLayout.toBytes(memory(7))), 0);
    }
    MemoryFile file = open();
    assertEquals(memory(7), file.read());
    keep(file, 8);
    env.runTasks();
    assertEquals(List.of("memory.0", "memory.1"), disk.names());
    assertEquals(memory(8), open().read());
  }
}
