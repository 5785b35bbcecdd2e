package dev.isogrid.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.topology.NodeId;
import java.util.List;
import java.util.Map;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.View;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

class JGroupsReceiverTest {
  private static final NodeId ONE = new NodeId(1, 1);
  private static final NodeId OTHER = new NodeId(1, 2);

  private long now;
  private final JGroupsReceiver receiver =
      new JGroupsReceiver(System.getLogger(JGroupsReceiverTest.class.getName()), () -> now);

  private void view(long number) {
    List<Address> members =
        List.of(new UUID(ONE.high(), ONE.low()), new UUID(OTHER.high(), OTHER.low()));
    receiver.up(
        new Event(
            Event.VIEW_CHANGE,
            View.create(members.getFirst(), number, members.toArray(Address[]::new))));
  }

  private Map<NodeId, Long> gone() {
    return requireNonNull(receiver.view().getAndSet(null)).gone();
  }

  @Test
  void view_afterANodeWasRefused_saysSoUntilTheNodeIsHeard() {
    view(1);
    receiver.gone(ONE, 100);
    receiver.gone(OTHER, 110);
    assertEquals(Map.of(ONE, 100L, OTHER, 110L), gone());
    view(2);
    assertEquals(Map.of(ONE, 100L, OTHER, 110L), gone());
    now = 120;
    receiver.take(ONE, new byte[] {1}, 1, true);
    view(3);
    assertEquals(Map.of(OTHER, 110L), gone());
    receiver.gone(ONE, 130);
    assertEquals(Map.of(ONE, 130L, OTHER, 110L), gone());
  }
}
