package dev.isogrid.verify.fuzz;

import dev.isogrid.server.hotrod.HotRodProtocol;
import java.util.HexFormat;

/**
 * A fuzz target for Hot Rod connections: the server closes the connection or still answers, and all
 * its answers are responses.
 */
public final class HotRodFuzz {
  private static final int RESPONSE_MAGIC = 0xA1;

  /** The operation after which chunks follow; a ping would count as one. */
  private static final byte PUT_STREAM = 0x39;

  private static final byte[] PING = HexFormat.of().parseHex("a005141700000100");

  private static final FuzzedServer SERVER = new FuzzedServer();
  private static final HotRodProtocol PROTOCOL =
      new HotRodProtocol(SERVER.context(), FuzzedServer.STREAMED_VALUE_MAX);

  private HotRodFuzz() {}

  /** Sends one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    SERVER.feed(
        PROTOCOL::install,
        input,
        connection -> {
          byte[] received = connection.received();
          FuzzedServer.check(
              received.length == 0 || (received[0] & 0xFF) == RESPONSE_MAGIC, "not a response");
          if (connection.isOpen() && connection.isIdle() && !has(input, PUT_STREAM)) {
            int before = connection.received().length;
            connection.send(PING);
            FuzzedServer.check(
                connection.received().length > before, "open, but ping has no answer");
          }
        });
  }

  private static boolean has(byte[] bytes, byte wanted) {
    for (byte each : bytes) {
      if (each == wanted) {
        return true;
      }
    }
    return false;
  }
}
