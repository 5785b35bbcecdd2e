package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Origin;
import dev.isogrid.topology.Pauses;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryLayoutTest {
  @Test
  void fromBytes_ofWhatWasWritten_isTheSame() throws Exception {
    for (int seed = 0; seed < 200; seed++) {
      Memory memory = new RandomMembership(new Random(seed)).memory();
      assertEquals(memory, MemoryLayout.fromBytes(MemoryLayout.toBytes(memory)), "seed " + seed);
    }
  }

  private static byte[] recorded(String file) throws IOException {
    try (InputStream in = MemoryLayoutTest.class.getResourceAsStream(file)) {
      byte[] text = Objects.requireNonNull(in, file).readAllBytes();
      String hex = new String(text, StandardCharsets.US_ASCII).replace("\n", "");
      return HexFormat.of().parseHex(hex);
    }
  }

  /** A node wrote it whose build spoke version 11. */
  @Test
  void fromBytes_ofAFileOfTheVersionBefore_isRead() throws Exception {
    NodeId one = new NodeId(1, 2);
    NodeId two = new NodeId(3, 4);
    ProtocolVersions old = ProtocolVersions.only(11);
    MemberProfile first = new MemberProfile("a", 1, "site/rack", "host:11222", "a@host:7800", old);
    Topology topology =
        new Topology(
            7,
            List.of(
                new Member(one, 1, first),
                new Member(two, 3, 5, new MemberProfile("b", 0.5f, "", "", "", old))),
            List.of(one),
            List.of(new CacheGroup(2, 2), new CacheGroup(1, 1, true)),
            List.of(
                new SegmentOwners(4, one, List.of(one, two), List.of()),
                new SegmentOwners(5, null, List.of(two), List.of()),
                new SegmentOwners(6, two, List.of(two), List.of(one), 2)),
            List.of(new CacheDefinition(3, "books", 0, 11, "{\"distributed-cache\":{}}")),
            4,
            new Pauses(6, true, Set.of(1)),
            new Origin(5, 6, 1, 1));
    Proposal accepted = new Proposal(topology.unchanged(), Set.of(1));
    Memory memory =
        new Memory(one, List.of(new NodeId(8, 9)), topology, new Ballot(2, two), accepted);
    assertEquals(memory, MemoryLayout.fromBytes(recorded("memory-2.hex")));
    assertEquals(memory, MemoryLayout.fromBytes(MemoryLayout.toBytes(memory)));
  }

  @Test
  void fromBytes_ofAnUnknownFormat_saysWhichOne() {
    byte[] bytes = MemoryLayout.toBytes(new RandomMembership(new Random(1)).memory());
    ByteBuffer.wrap(bytes).putInt(8, 1);
    MalformedMessageException refused =
        assertThrows(MalformedMessageException.class, () -> MemoryLayout.fromBytes(bytes));
    assertEquals("unknown format: format=1, known=2 to 4", refused.getMessage());
  }

  @Test
  void fromBytes_ofDamagedOrCutBytes_refuses() {
    byte[] bytes = MemoryLayout.toBytes(new RandomMembership(new Random(1)).memory());
    for (int at = 0; at < bytes.length; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 4;
      assertThrows(
          MalformedMessageException.class, () -> MemoryLayout.fromBytes(damaged), "at " + at);
      byte[] cut = Arrays.copyOf(bytes, at);
      assertThrows(MalformedMessageException.class, () -> MemoryLayout.fromBytes(cut), "at " + at);
    }
  }
}
