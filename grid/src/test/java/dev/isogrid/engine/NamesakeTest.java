package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes that were given a name that another one has. */
class NamesakeTest {
  private static final NodeId FIRST = new NodeId(0, 1);
  private static final NodeId SECOND = new NodeId(0, 2);
  private static final NodeId THIRD = new NodeId(0, 3);
  private static final NodeId ONE = new NodeId(0, 4);
  private static final NodeId OTHER = new NodeId(0, 5);
  private static final long LONG_MILLIS = 5_000;

  private final SteppedNodes nodes = new SteppedNodes(2);

  @BeforeEach
  void start() {
    nodes.start(GonePolicy.OF_TWO, FIRST, SECOND, THIRD);
  }

  private void join(NodeId id, String name, String seat) {
    nodes.join(GonePolicy.OF_TWO, id, new MemberProfile(name, 1, "", "", seat));
  }

  private int members() {
    return requireNonNull(nodes.node(FIRST).topology()).members().size();
  }

  @Test
  void join_withTheNameOfALivingMember_waitsUntilThatIsGone() {
    join(ONE, "b", "b@here:1");
    nodes.run(LONG_MILLIS);
    assertEquals(4, members());
    join(OTHER, "b", "b@here:2");
    nodes.run(LONG_MILLIS);
    assertEquals(4, members());
    nodes.nodes.remove(ONE);
    nodes.run(LONG_MILLIS);
    assertEquals(4, members());
    assertEquals(OTHER, requireNonNull(nodes.node(OTHER).topology()).members().getLast().id());
  }

  @Test
  void joins_withOneNameAtATime_letOneIn() {
    join(ONE, "b", "b@here:1");
    join(OTHER, "b", "b@here:2");
    nodes.run(LONG_MILLIS);
    assertEquals(4, members());
  }

  @Test
  void join_inTheSameSeat_doesNotWait() {
    join(ONE, "b", "b@here:1");
    nodes.run(LONG_MILLIS);
    join(OTHER, "b", "b@here:1");
    nodes.run(LONG_MILLIS);
    assertEquals(5, members()); // the former process is not killed here
  }

  @Test
  void joins_withNamesThatWereMadeUp_areAllLetIn() {
    join(ONE, "n-1", "@here:1");
    join(OTHER, "n-1", "@here:2");
    nodes.run(LONG_MILLIS);
    assertEquals(5, members());
  }
}
