package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Bodies over the limit, sent by a client that reads no reply before it has sent them. */
class RefusedBodyTest {
  private static final int LENGTH = 16 << 20;

  private static Server start() {
    String[] options = {"--no-cluster", "--port=0", "--memcached-port=0"};
    PrintStream none = new PrintStream(OutputStream.nullOutputStream());
    return Server.start(
        ServerSettings.of(
            Objects.requireNonNull(new CommandLineParser().parse(options, none)), null));
  }

  private static void assertRefused(String lengthHeader, int pieceLength) throws Exception {
    try (Server server = start();
        Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
      socket.setSoTimeout(60_000);
      OutputStream out = socket.getOutputStream();
      out.write(
          "PUT /rest/v2/caches/default/k HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n"
              .formatted(lengthHeader)
              .getBytes(StandardCharsets.US_ASCII));
      byte[] piece = new byte[pieceLength];
      for (int sent = 0; sent < LENGTH; sent += pieceLength) {
        if (lengthHeader.startsWith("Transfer")) {
          byte[] size = "%x\r\n".formatted(pieceLength).getBytes(StandardCharsets.US_ASCII);
          out.write(size);
          out.write(piece);
          out.write('\r');
          out.write('\n');
        } else {
          out.write(piece);
        }
      }
      InputStream in = socket.getInputStream();
      String reply = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      assertEquals("HTTP/1.1 413", reply.substring(0, Math.min(12, reply.length())), reply);
      assertTrue(reply.endsWith("body too large: limit=10485760"), reply);
    }
  }

  @Test
  void announcedBody_isSkippedUntilTheClientReadsTheReply() throws Exception {
    assertRefused("Content-Length: " + LENGTH, 1 << 16);
  }

  @Test
  void chunkedBody_isSkippedUntilTheClientReadsTheReply() throws Exception {
    assertRefused("Transfer-Encoding: chunked", 1 << 16);
  }
}
