package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.InputBudget;
import dev.isogrid.server.net.Intake;
import dev.isogrid.server.security.QuickUsers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory that clients of HTTP/2 can take without a login. */
class Http2StrangerTest {
  private static final String ENTRY = "/rest/v2/caches/plain/k";
  private static final String PUBLIC = "/rest/v2/server";
  private static final int A = FrameClient.FIRST_STREAM;
  private static final int REFUSED_STREAM = 7;
  private static final int CALM_DOWN = 11;

  /** The setting of a stream's window, with no byte. */
  private static final byte[] NO_WINDOW = {0, 4, 0, 0, 0, 0};

  @TempDir private Path folder;

  private final TestServer server = new TestServer();
  private final List<FrameClient> clients = new ArrayList<>();

  @AfterEach
  void close() {
    clients.forEach(FrameClient::close);
    server.close();
  }

  private FrameClient connect(RestProtocol protocol) {
    FrameClient made = new FrameClient(server, protocol);
    clients.add(made);
    return made;
  }

  private RestProtocol secured(Intake intake) {
    QuickUsers.in(folder, "default").create("ada", "secret", List.of("admin"));
    return server.secured(folder, intake);
  }

  private static String login() {
    byte[] pair = "ada:secret".getBytes(StandardCharsets.US_ASCII);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  private long buffers() {
    return server.allocator.metric().usedDirectMemory()
        + server.allocator.metric().usedHeapMemory();
  }

  @Test
  void replies_thatAStrangerDoesNotTake_areFew() {
    FrameClient stranger = connect(secured(Intake.of(64 << 20)));
    stranger.frame(FrameClient.SETTINGS, 0, 0, NO_WINDOW);
    for (int i = 0; i < 80; i++) {
      stranger.get(A + 2 * i, "/console/style.css");
    }
    assertEquals("200", stranger.status(A));
    assertTrue(buffers() < 64 << 10, "bytes kept: " + buffers());
    for (int i = 0; i < 80; i++) {
      stranger.widen(A + 2 * i, 1 << 15);
    }
    assertTrue(stranger.isWhole(A));
    assertTrue(stranger.isWhole(A + 2 * 79), "those that waited are answered");
  }

  @Test
  void streams_takeOfTheMemoryOfAllStrangers() {
    Intake intake = Intake.of(8 << 20);
    InputBudget strangers = intake.strangers();
    RestProtocol protocol = secured(intake);
    int refused = 0;
    for (int i = 0; i < 5; i++) {
      FrameClient stranger = connect(protocol);
      for (int stream = A; stream < A + 2 * 100; stream += 2) {
        stranger.head(stream, false, "GET", PUBLIC);
        refused += stranger.resetBy(stream) == REFUSED_STREAM ? 1 : 0;
      }
    }
    assertTrue(refused > 100, "streams refused: " + refused);
    long leastOfEach = StreamAllowance.CONNECTION_MEMORY + StreamAllowance.STREAM_MEMORY;
    assertTrue(strangers.bytesTaken() <= strangers.bytesMax() / 2 + 5 * leastOfEach);
    FrameClient user = connect(protocol);
    user.get(A, ENTRY, "authorization", login());
    assertEquals("404", user.status(A), "half of the memory is left for others");
    for (int stream = A + 2; stream < A + 2 * 100; stream += 2) {
      user.head(stream, false, "PUT", ENTRY, "authorization", login());
      assertEquals(-1, user.resetBy(stream), "who has logged in is no stranger");
    }
    clients.forEach(FrameClient::close);
    assertEquals(0, strangers.bytesTaken());
  }

  @Test
  void connections_takeOfThatMemoryToo_andEndInTime() {
    Intake intake = Intake.of(4 << 20);
    RestProtocol protocol = secured(intake);
    int ended = 0;
    for (int i = 0; i < 100; i++) {
      FrameClient stranger = connect(protocol);
      if (!stranger.channel.isOpen()) {
        assertEquals(CALM_DOWN, stranger.goneBy());
        ended++;
      }
    }
    assertTrue(ended > 50, "connections ended: " + ended);
    TestClient upgrading = server.connect(protocol);
    upgrading.send(
        "GET %s HTTP/1.1\r\nHost: here\r\nConnection: Upgrade, HTTP2-Settings\r\n".formatted(PUBLIC)
            + "Upgrade: h2c\r\nHTTP2-Settings: \r\n\r\n");
    assertEquals(200, upgrading.next(false).status(), "HTTP/1.1 needs less");
    clients.getFirst().pass(70);
    assertFalse(clients.getFirst().channel.isOpen());
    assertTrue(connect(protocol).channel.isOpen(), "what one has given back another one gets");
  }

  @Test
  void memory_isGivenBackByALogin() {
    Intake intake = Intake.of(8 << 20);
    FrameClient user = connect(secured(intake));
    assertEquals(StreamAllowance.CONNECTION_MEMORY, intake.strangers().bytesTaken());
    user.head(A, false, "PUT", ENTRY, "authorization", login());
    assertEquals(0, intake.strangers().bytesTaken());
    user.data(A, true, "v");
    assertEquals("204", user.status(A));
    user.get(A + 2, ENTRY);
    assertEquals("401", user.status(A + 2), "a request without a login is a stranger's");
    user.get(A + 4, ENTRY, "authorization", login());
    assertEquals("200", user.status(A + 4));
    assertEquals(0, intake.strangers().bytesTaken());
  }
}
