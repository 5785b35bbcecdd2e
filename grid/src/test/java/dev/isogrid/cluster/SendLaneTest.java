package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.FakeEnv;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SendLaneTest {
  private final FakeEnv world = new FakeEnv();
  private final List<Integer> sent = new ArrayList<>();
  private final SendLane lane =
      new SendLane(world.env().scheduler(), bytes -> sent.add(bytes.length), SendLane::sendAside);

  @Test
  void tryAdd_ofSeveral_sendsThemInOrderByOneTask() {
    assertTrue(lane.tryAdd(new byte[3]));
    assertTrue(lane.tryAdd(new byte[1]));
    assertTrue(lane.tryAdd(new byte[2]));
    assertEquals(List.of(), sent);
    assertEquals(1, world.runTasks());
    assertEquals(List.of(3, 1, 2), sent);
    assertTrue(lane.tryAdd(new byte[4]));
    assertEquals(1, world.runTasks());
    assertEquals(4, sent.getLast());
  }

  @Test
  void sendHere_ofMuch_leavesTheRestToATask() {
    List<SendLane> started = new ArrayList<>();
    SendLane unstarted =
        new SendLane(world.env().scheduler(), bytes -> sent.add(bytes.length), started::add);
    for (int i = 0; i < 100; i++) {
      assertTrue(unstarted.tryAdd(new byte[i]));
    }
    assertEquals(List.of(unstarted), started);
    unstarted.sendHere();
    assertEquals(64, sent.size());
    assertEquals(1, world.runTasks());
    assertEquals(100, sent.size());
    assertEquals(99, sent.getLast());
  }

  @Test
  void tryAdd_whenTooManyBytesWait_refusesUntilTheyAreSent() {
    assertTrue(lane.tryAdd(new byte[20 << 20]));
    assertFalse(lane.tryAdd(new byte[1]));
    world.runTasks();
    assertTrue(lane.tryAdd(new byte[1]));
  }

  @Test
  void clear_forgetsWhatWaits() {
    lane.tryAdd(new byte[3]);
    lane.clear();
    world.runTasks();
    assertEquals(List.of(), sent);
  }
}
