package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.Message;
import dev.isogrid.engine.EntryCodec;
import dev.isogrid.engine.SegmentCodec;
import dev.isogrid.topology.ProtocolVersions;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Messages of nodes of version 12 of the protocol, as they were sent: each later build that says
 * that it speaks this version has to read them, and to write them in the same bytes. Those of a
 * later version get a file of their own.
 */
class RecordedMessagesTest {
  private static final int VERSION = 12;

  private static List<String> recorded() throws Exception {
    String file = "messages-" + VERSION + ".txt";
    try (var in = Objects.requireNonNull(RecordedMessagesTest.class.getResourceAsStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    }
  }

  @Test
  void messages_thatWereRecorded_areReadAndWrittenInTheSameBytes() throws Exception {
    SegmentCodec codec = new SegmentCodec(new EntryCodec(() -> 0, NodeCluster.FUNCTIONS));
    assertTrue(ProtocolVersions.OF_BUILD.include(VERSION));
    codec.write(VERSION);
    for (String line : recorded()) {
      String kind = line.substring(0, line.indexOf(' '));
      byte[] bytes = HexFormat.of().parseHex(line.substring(kind.length() + 1));
      Message message = codec.decode(bytes, 0, bytes.length);
      assertEquals(kind, message.getClass().getSimpleName());
      assertArrayEquals(bytes, codec.encode(message), line);
    }
  }

  @Test
  void messages_thatWereRecorded_areOfMostKinds() throws Exception {
    assertTrue(recorded().stream().map(line -> line.split(" ", -1)[0]).distinct().count() >= 40);
  }
}
