package dev.isogrid.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.bench.process.Ports;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Test;

class FloorMemberTest {
  @Test
  void operations_fromEachNode_areAnswered() throws Exception {
    List<Integer> ports = new ArrayList<>();
    List<FloorMember> members = new ArrayList<>();
    for (int i = 0; i < ClusterBenchmark.NODES; i++) {
      ports.add(Ports.free());
    }
    for (int port : ports) {
      members.add(FloorMember.open(port, ports));
    }
    for (FloorMember member : members) {
      assertTrue(member.isComplete(ClusterBenchmark.NODES));
    }
    byte[] value = new byte[1000];
    long messages = 0;
    for (FloorMember member : members) {
      ConcurrentMap<String, byte[]> cache = member.cache();
      for (int i = 0; i < 100; i++) {
        assertArrayEquals(value, cache.put("key-" + i, value));
        member.set("key-" + i, value);
        assertArrayEquals(value, cache.get("key-" + i));
      }
    }
    for (FloorMember member : members) {
      messages += member.counts().messages();
    }
    // Two or four messages for each write, none or two for each read.
    assertTrue(messages > 3 * 100 * 2 * 2 && messages < 3 * 100 * (2 * 4 + 2), "sent=" + messages);
    assertEquals(ClusterBenchmark.NODES, members.getFirst().nodes());
    members.forEach(FloorMember::close);
  }
}
