package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Requests that arrive in very many pieces. Reading them again from the beginning for each piece
 * would take minutes; the time limits are far above the needed time.
 */
class LinearWorkTest {
  private static final int ENTRIES = 100_000;
  private static final int PIECE_SIZE = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static byte[] padded(int number) {
    return "%08d".formatted(number).getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void lists_inManyPieces_takeLinearTime() {
    RequestBytes putAll = new RequestBytes(41, 0x2D).u8(0x88).vInt(ENTRIES);
    RequestBytes getAll = new RequestBytes(41, 0x2F).vInt(ENTRIES);
    for (int i = 0; i < ENTRIES; i++) {
      putAll.bytes(padded(i)).string("");
      getAll.bytes(padded(i));
    }
    try (TestServer server = new TestServer(1 << 24).with("c");
        TestServer.Connection connection = server.connect()) {
      assertTimeoutPreemptively(PATIENCE, () -> connection.send(putAll.bytes(), PIECE_SIZE));
      assertEquals(0, connection.response(putAll).status());
      assertTimeoutPreemptively(PATIENCE, () -> connection.send(getAll.bytes(), PIECE_SIZE));
      assertEquals(ENTRIES, connection.response(getAll).fields().size());
    }
  }

  @Test
  void changesOfATransaction_inManyPieces_takeLinearTime() {
    RequestBytes prepare = new RequestBytes(41, 0x3B).vInt(1).string("a").string("b").u8(1);
    prepare.vInt(ENTRIES);
    for (int i = 0; i < ENTRIES; i++) {
      prepare.bytes(padded(i)).u8(1).u8(0x88).string("");
    }
    try (TestServer server = new TestServer(1 << 24).with("c");
        TestServer.Connection connection = server.connect()) {
      assertTimeoutPreemptively(PATIENCE, () -> connection.send(prepare.bytes(), PIECE_SIZE));
      assertEquals(0x85, connection.response(prepare).status());
    }
  }

  @Test
  void largeValue_inManyPieces_takesLinearTime() {
    byte[] value = new byte[1 << 20];
    RequestBytes put = new RequestBytes(41, 0x01).string("k").u8(0x88).bytes(value);
    try (TestServer server = new TestServer(1 << 24).with("c");
        TestServer.Connection connection = server.connect()) {
      assertTimeoutPreemptively(PATIENCE, () -> connection.send(put.bytes(), PIECE_SIZE));
      assertEquals(0, connection.response(put).status());
    }
  }
}
