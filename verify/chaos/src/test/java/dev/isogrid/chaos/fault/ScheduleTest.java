package dev.isogrid.chaos.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final int NODES = 3;
  private static final List<FaultKind> ALL = List.of(FaultKind.values());

  private static List<Fault> faults(long seed, int count) {
    Schedule schedule = new Schedule(seed, NODES, ALL);
    return Stream.generate(schedule::next).limit(count).toList();
  }

  @Test
  void next_ofOneSeed_isTheSameAgain() {
    assertEquals(faults(7, 100), faults(7, 100));
    assertNotEquals(faults(7, 100), faults(8, 100));
  }

  @Test
  void next_asOftenAsThereAreKinds_gaveEachKindOnce() {
    Set<Class<?>> seen = new HashSet<>();
    faults(1, ALL.size()).forEach(fault -> seen.add(fault.getClass()));
    assertEquals(ALL.size(), seen.size());
  }

  @Test
  void next_always_namesNodesThatThereAre() {
    for (Fault fault : faults(3, 1000)) {
      int most = fault instanceof Fault.Join ? NODES : NODES - 1;
      assertTrue(fault.node() >= 0 && fault.node() <= most, fault::toString);
      if (fault instanceof Fault.OneWay oneWay) {
        assertNotEquals(oneWay.node(), oneWay.peer());
        assertTrue(oneWay.peer() < NODES, fault::toString);
      }
      if (fault instanceof Fault.Majority majority) {
        assertEquals(2, Set.copyOf(majority.nodes()).size());
        assertTrue(majority.nodes().stream().allMatch(node -> node < NODES), fault::toString);
      }
      if (fault instanceof Fault.Two two) {
        assertNotEquals(two.first().node(), two.second().node());
      }
    }
  }
}
