package dev.isogrid.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeNamesTest {
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId OTHER = new NodeId(0, 2);

  private static Member member(NodeId id, String name) {
    return new Member(id, 1, new MemberProfile(name, 1, "", ""));
  }

  private static Topology of(Member... members) {
    return Planner.first(List.of(members), List.of());
  }

  @Test
  void names_areThoseOfTheTopology_andIdsAsLongAsThereIsNone() {
    NodeNames names = new NodeNames(SELF, "ann");
    assertEquals("ann", names.ofSelf());
    assertEquals("2", names.of(OTHER));
    names.learn(of(member(SELF, "ann"), member(OTHER, "bob")));
    assertEquals("bob", names.of(OTHER));
  }

  @Test
  void names_ofNodesThatAreGone_areStillKnown() {
    NodeNames names = new NodeNames(SELF, "ann");
    names.learn(of(member(SELF, "ann"), member(OTHER, "bob")));
    names.learn(of(member(SELF, "ann")));
    assertEquals("bob", names.of(OTHER));
  }

  @Test
  void nodesWithoutAName_areCalledById() {
    NodeNames names = new NodeNames(SELF, "");
    names.learn(of(member(SELF, ""), member(OTHER, "")));
    assertEquals("1", names.ofSelf());
    assertEquals("2", names.of(OTHER));
  }

  @Test
  void names_areForgotten_whenThereAreTooMany() {
    NodeNames names = new NodeNames(SELF, "");
    List<Member> many = new ArrayList<>();
    for (int i = 1; i <= 1001; i++) {
      many.clear();
      many.add(member(new NodeId(0, i), "n" + i));
      names.learn(of(many.toArray(Member[]::new)));
    }
    assertEquals("1", names.of(SELF));
    assertEquals("n2", names.of(OTHER));
  }
}
