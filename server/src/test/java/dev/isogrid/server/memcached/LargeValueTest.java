package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values off the heap that are sent in place. */
class LargeValueTest {
  private static final int PIECE_BYTES = 60_000;

  private final TestServer server = new TestServer();
  private final EmbeddedChannel channel = server.connect();

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    server.close();
  }

  private static String random(int size) {
    byte[] value = new byte[size];
    new Random(size).nextBytes(value);
    return new String(value, StandardCharsets.ISO_8859_1);
  }

  private String ask(String text) {
    byte[] bytes = TestServer.ascii(text);
    for (int from = 0; from < bytes.length; from += PIECE_BYTES) {
      int length = Math.min(PIECE_BYTES, bytes.length - from);
      channel.writeInbound(channel.alloc().directBuffer().writeBytes(bytes, from, length));
    }
    return TestServer.received(channel);
  }

  @ParameterizedTest
  @ValueSource(ints = {4_000, 4_096, 4_097, 16_384, 65_536, 1 << 20})
  void set_anySize_isReadAsWritten(int size) {
    String value = random(size);
    for (String key : new String[] {"a", "b", "a"}) {
      assertEquals("STORED\r\n", ask("set " + key + " 7 0 " + size + "\r\n" + value + "\r\n"));
      assertEquals(
          "VALUE " + key + " 7 " + size + "\r\n" + value + "\r\nEND\r\n",
          ask("get " + key + "\r\n"));
    }
  }

  /**
   * The socket takes the value at once, so the client is told that there is room while it is sent.
   */
  @ParameterizedTest
  @ValueSource(ints = {60_000, 500_000, 1_000_000})
  void get_ofValueBeyondTheLimitOfUnsentOutput_readsOn(int size) {
    ask("set a 0 0 " + size + "\r\n" + random(size) + "\r\n");
    ask("get a\r\n");
    assertTrue(channel.config().isAutoRead());
  }

  @ParameterizedTest
  @ValueSource(ints = {4_097, 500_000})
  void append_toLargeValue_joinsBoth(int size) {
    String value = random(size);
    ask("set a 0 0 " + size + "\r\n" + value + "\r\n");
    assertEquals("STORED\r\n", ask("append a 0 0 " + size + "\r\n" + value + "\r\n"));
    assertEquals("STORED\r\n", ask("prepend a 0 0 2\r\nxy\r\n"));
    assertEquals(
        "VALUE a 0 " + (2 * size + 2) + "\r\nxy" + value + value + "\r\nEND\r\n",
        ask("gat 0 a\r\n"));
  }
}
