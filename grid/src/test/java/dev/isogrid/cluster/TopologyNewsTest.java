package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyNewsTest {
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId OTHER = new NodeId(0, 2);
  private static final NodeId THIRD = new NodeId(0, 3);
  private static final long PAUSE = ClusterTimes.usual().resend() / 4;
  private static final Topology MINE =
      Planner.first(List.of(new Member(SELF, 1, MemberProfile.ofCapacity(1))), List.of());

  private record Sent(NodeId to, Message message) {}

  private final List<Sent> sent = new ArrayList<>();
  private final TopologyNews news =
      new TopologyNews(ClusterTimes.usual(), (to, message) -> sent.add(new Sent(to, message)));

  @Test
  void onBehind_ofNodeThatAsks_tellsItAtOnceAndThenNowAndThen() {
    news.onBehind(OTHER, MINE, true, 0);
    news.onBehind(OTHER, MINE, true, PAUSE - 1);
    news.onBehind(THIRD, MINE, true, PAUSE - 1);
    news.onBehind(OTHER, MINE, true, PAUSE);
    Learn learn = new Learn(MINE);
    assertEquals(
        List.of(new Sent(OTHER, learn), new Sent(THIRD, learn), new Sent(OTHER, learn)), sent);
  }

  @Test
  void onBehind_ofNodeThatDoesNotAsk_tellsItIfItIsStillBehindAfterAPause() {
    news.onBehind(OTHER, MINE, false, 0);
    news.onBehind(OTHER, MINE, false, PAUSE - 1);
    assertEquals(List.of(), sent);
    news.onBehind(OTHER, MINE, false, PAUSE);
    assertEquals(List.of(new Sent(OTHER, new Learn(MINE))), sent);
    news.onBehind(OTHER, MINE.unchanged(), false, 3 * PAUSE);
    assertEquals(1, sent.size());
  }

  @Test
  void onAhead_ofMany_asksOne() {
    news.onAhead(OTHER, MINE, 0);
    news.onAhead(THIRD, MINE, 1);
    assertEquals(List.of(new Sent(OTHER, new Fetch(1))), sent);
    news.onAhead(THIRD, null, PAUSE);
    assertEquals(new Sent(THIRD, new Fetch(0)), sent.getLast());
    news.install();
    news.onAhead(OTHER, MINE, PAUSE + 1);
    assertEquals(3, sent.size());
  }
}
