package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.Message;
import dev.isogrid.engine.EntryCodec;
import dev.isogrid.engine.SegmentCodec;
import dev.isogrid.topology.ProtocolVersions;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages of nodes of each version of the protocol, as they were sent: each later build that says
 * that it speaks the version has to read them, and to write them in the same bytes. Those of a
 * later version get a file of their own.
 */
class RecordedMessagesTest {
  private final SegmentCodec codec =
      new SegmentCodec(new EntryCodec(() -> 0, NodeCluster.FUNCTIONS));

  private static List<String> recorded(int version) throws Exception {
    String file = "messages-" + version + ".txt";
    try (var in = Objects.requireNonNull(RecordedMessagesTest.class.getResourceAsStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    }
  }

  private static String kind(String line) {
    return line.substring(0, line.indexOf(' '));
  }

  private static byte[] bytes(String line) {
    return HexFormat.of().parseHex(line.substring(line.indexOf(' ') + 1));
  }

  private Message decoded(String line) throws Exception {
    byte[] bytes = bytes(line);
    return codec.decode(bytes, 0, bytes.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 13, 14})
  void messages_thatWereRecorded_areReadAndWrittenInTheSameBytes(int version) throws Exception {
    assertTrue(ProtocolVersions.OF_BUILD.include(version));
    codec.write(version);
    for (String line : recorded(version)) {
      Message message = decoded(line);
      assertEquals(kind(line), message.getClass().getSimpleName());
      assertArrayEquals(bytes(line), codec.encode(message), line);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 13, 14})
  void messages_thatWereRecorded_areOfMostKinds(int version) throws Exception {
    assertTrue(recorded(version).stream().map(RecordedMessagesTest::kind).distinct().count() >= 40);
  }

  /** Predecessors, former ids and traces of calls are left out. */
  @Test
  void messages_ofVersion14_areWrittenForOlderNodesAsTheseKnowThem() throws Exception {
    List<String> older = recorded(13);
    codec.write(13);
    for (String line : recorded(14)) {
      String written = HexFormat.of().formatHex(codec.encode(decoded(line)));
      assertTrue(older.contains(kind(line) + ' ' + written), line);
    }
  }

  @Test
  void operationsInTraces_areWrittenWithoutTheTraceInVersion12() throws Exception {
    List<String> traced =
        recorded(13).stream().filter(line -> kind(line).equals("TracedOperation")).toList();
    List<String> alone =
        recorded(12).stream().filter(line -> kind(line).equals("Operation")).toList();
    codec.write(12);
    assertEquals(3, traced.size());
    for (int i = 0; i < traced.size(); i++) {
      assertArrayEquals(bytes(alone.get(i)), codec.encode(decoded(traced.get(i))));
    }
  }

  @Test
  void operationInATrace_ofVersion12_isRefused() throws Exception {
    String traced =
        recorded(13).stream()
            .filter(line -> kind(line).equals("TracedOperation"))
            .findFirst()
            .orElseThrow();
    byte[] bytes = bytes(traced);
    bytes[0] = 12;
    assertThrows(MalformedMessageException.class, () -> codec.decode(bytes, 0, bytes.length));
  }
}
