package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values off the heap that are sent in place. */
class LargeValueTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int REMOVE = 0x0B;
  private static final int GET_ALL = 0x2F;
  private static final int PIECE_BYTES = 60_000;

  private final TestServer server = new TestServer(2 << 20).with("c");
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {4_000, 4_096, 4_097, 16_384, 65_536, 1 << 20})
  void put_anySize_isReadAsWritten(int size) {
    byte[] value = new byte[size];
    new Random(size).nextBytes(value);
    String hex = HexFormat.of().formatHex(value);
    for (String key : new String[] {"a", "b", "a"}) {
      RequestBytes put = new RequestBytes(41, PUT).string(key).u8(0x88).bytes(value);
      connection.send(put.bytes(), PIECE_BYTES);
      assertEquals(0, connection.response(put).status());
      assertEquals(hex, connection.call(new RequestBytes(41, GET).string(key)).field("value"));
    }
    Response all = connection.call(new RequestBytes(41, GET_ALL).vInt(1).string("b"));
    assertEquals("62=" + hex, all.field("entry"));
    RequestBytes removal = new RequestBytes(41, REMOVE).flags(1).string("a");
    assertEquals(hex, connection.call(removal).field("previous"));
  }
}
