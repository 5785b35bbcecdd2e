package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridConfig;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServerTest {
  private static final int READ_TIMEOUT_MILLIS = 30_000;

  private Server server;

  @BeforeEach
  void start() {
    server = Server.start(settings(0));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static ServerSettings settings(int memcachedPort) {
    ServerSettings defaults = ServerSettings.defaults();
    return new ServerSettings(
        defaults.bindAddress(),
        0,
        memcachedPort,
        ServerSettings.External.NONE,
        GridConfig.builder().build(),
        null,
        null,
        defaults.caches(),
        defaults.protocols(),
        defaults.protection(),
        defaults.warnings());
  }

  private static Socket connect(@Nullable InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    socket.connect(address);
    return socket;
  }

  /** Sends, ends its side of the connection, and reads until the server ends its own. */
  private static String talk(@Nullable InetSocketAddress address, String text) throws IOException {
    try (Socket socket = connect(address)) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void listen_sharedPort_speaksEachProtocol() throws IOException {
    assertEquals("STORED\r\n", talk(server.address(), "set a 0 0 1\r\nx\r\n"));
    assertTrue(
        talk(server.address(), "HEAD /rest/v2/caches/none HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .startsWith("HTTP/1.1 404 "));
    String ping = "\u00a0\u0001\u001e\u0017\0\0\u0003\0\0\0";
    assertTrue(talk(server.address(), ping).startsWith("\u00a1\u0001\u0018\0"));
  }

  @Test
  void listen_memcachedPort_speaksMemcachedOnly() throws IOException {
    assertEquals("STORED\r\n", talk(server.memcachedAddress(), "set a 0 0 1\r\nx\r\n"));
    assertTrue(talk(server.memcachedAddress(), "GET a\r\n").startsWith("ERROR\r\n"));
  }

  @Test
  void itemSize_ofTheMemcachedPort_isMemcacheds() throws IOException {
    String set = "set a 0 0 1048576\r\n" + "x".repeat(1 << 20) + "\r\n";
    assertEquals(
        "SERVER_ERROR object too large for cache\r\n", talk(server.memcachedAddress(), set));
    assertEquals("STORED\r\n", talk(server.address(), set));
  }

  @Test
  void halfClose_manyPipelinedRequests_getAllReplies() throws IOException {
    int count = 20_000;
    String value = "v".repeat(1000);
    talk(server.memcachedAddress(), "set a 0 0 1000\r\n" + value + "\r\n");
    String replies = talk(server.memcachedAddress(), "get a\r\n".repeat(count));
    String reply = "VALUE a 0 1000\r\n" + value + "\r\nEND\r\n";
    assertEquals((long) count * reply.length(), replies.length());
    assertTrue(replies.endsWith(reply));
  }

  /** The reply is made on another thread, in parts, after the client has ended its side. */
  @Test
  void halfClose_longListing_arrivesWhole() throws IOException {
    int count = 20_000;
    StringBuilder fill = new StringBuilder();
    for (int i = 0; i < count; i++) {
      fill.append("set ").append("k".repeat(90)).append(i).append(" 0 0 1\r\nx\r\n");
    }
    talk(server.memcachedAddress(), fill.toString());
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      socket.setReceiveBufferSize(64 << 10);
      socket.connect(server.address());
      String request =
          "GET /rest/v2/caches/memcachedCache?action=keys HTTP/1.1\r\nHost: localhost\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      byte[] reply = socket.getInputStream().readAllBytes();
      String end = new String(reply, reply.length - 9, 9, StandardCharsets.US_ASCII);
      assertTrue(reply.length > count * 90, () -> "bytes=" + reply.length);
      assertEquals("]\r\n0\r\n\r\n", end.substring(end.indexOf(']')));
    }
  }

  @Test
  void garbage_moreThanIsRead_arrivesAsBadRequest() throws IOException {
    String reply = talk(server.address(), "garbage ".repeat(20_000));
    assertTrue(reply.startsWith("HTTP/1.1 400 Bad Request\r\n"), reply);
  }

  @Test
  void start_memcachedOff_doesNotListen() {
    try (Server without = Server.start(settings(ServerSettings.OFF))) {
      assertNull(without.memcachedAddress());
    }
  }

  @Test
  void start_portTaken_freesEverythingAndSaysSo() {
    ServerSettings taken = settings(server.address().getPort());
    FatalGridException refused = assertThrows(FatalGridException.class, () -> Server.start(taken));
    assertTrue(String.valueOf(refused.getMessage()).contains("--memcached-port"));
  }

  @Test
  void close_idleConnections_endsThemAndListensNoMore() throws Exception {
    try (Socket idle = connect(server.address())) {
      idle.getOutputStream().write("version\r\n".getBytes(StandardCharsets.US_ASCII));
      assertEquals('V', idle.getInputStream().read());
      server.close();
      idle.getInputStream().readAllBytes();
    }
    server.close();
    server.awaitClosed();
    assertThrows(ConnectException.class, () -> connect(server.address()).close());
  }
}
