package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.Intake;
import dev.isogrid.server.security.QuickUsers;
import dev.isogrid.server.security.Security;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that arrive slowly or incompletely: the limits of their memory and time. */
class UnfinishedCommandTest {
  @TempDir private Path folder;

  private final TestServer server = new TestServer();
  private final Intake intake = Intake.of(69_000);

  @AfterEach
  void close() {
    server.close();
  }

  private EmbeddedChannel connect(Security security) {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.freezeTime();
    new MemcachedProtocol(server.context(security, intake)).install(channel.pipeline());
    return channel;
  }

  private EmbeddedChannel connect() {
    return connect(server.context.security());
  }

  private EmbeddedChannel connectStranger() {
    return connect(server.secured(folder));
  }

  private static void send(EmbeddedChannel channel, String text) {
    channel.writeInbound(Unpooled.wrappedBuffer(TestServer.ascii(text)));
  }

  private static void pass(EmbeddedChannel channel, int seconds) {
    for (int i = 0; i < seconds; i++) {
      channel.advanceTimeBy(1, TimeUnit.SECONDS);
      channel.runScheduledPendingTasks();
    }
  }

  @Test
  void block_forWhichThereIsNoMemory_waitsForItAndIsRefusedInTheEnd() {
    EmbeddedChannel first = connect();
    EmbeddedChannel second = connect();
    send(first, "set a 0 0 50000\r\n" + "x".repeat(30_000));
    send(second, "set b 0 0 50000\r\n" + "x".repeat(30_000));
    send(second, "x".repeat(10_000));
    assertFalse(second.config().isAutoRead());
    pass(second, 10);
    assertEquals("SERVER_ERROR out of memory storing object\r\n", TestServer.received(second));
    assertFalse(second.isOpen());
    send(first, "x".repeat(20_000) + "\r\n");
    assertEquals("STORED\r\n", TestServer.received(first));
    first.finishAndReleaseAll();
    assertEquals(0, intake.requests().bytesTaken());
  }

  @Test
  void block_forWhichThereIsMemoryAgain_isTaken() {
    EmbeddedChannel first = connect();
    EmbeddedChannel second = connect();
    send(first, "set a 0 0 50000\r\n" + "x".repeat(30_000));
    send(second, "set b 0 0 50000\r\n" + "x".repeat(30_000));
    send(second, "x".repeat(10_000));
    first.close();
    second.runPendingTasks();
    assertTrue(second.config().isAutoRead());
    send(second, "x".repeat(10_000) + "\r\n");
    assertEquals("STORED\r\n", TestServer.received(second));
    second.finishAndReleaseAll();
    assertEquals(0, intake.requests().bytesTaken());
  }

  @Test
  void block_thatStops_endsTheConnectionInTime() {
    EmbeddedChannel channel = connect();
    send(channel, "set a 0 0 50000\r\n" + "x".repeat(30_000));
    pass(channel, 29);
    assertTrue(channel.isOpen());
    pass(channel, 21);
    assertEquals("CLIENT_ERROR command not sent in time\r\n", TestServer.received(channel));
    assertFalse(channel.isOpen());
    assertEquals(0, intake.requests().bytesTaken());
  }

  @Test
  void connection_betweenCommands_mayBeSilent() {
    EmbeddedChannel channel = connect();
    send(channel, "set a 0 0 1\r\nx");
    send(channel, "\r\n");
    pass(channel, 3600);
    assertTrue(channel.isOpen());
    channel.finishAndReleaseAll();
  }

  /** A packet of the binary protocol that announces more bytes than it has. */
  private static String packet(int opcode, String key, int bodyLength, String body) {
    return "\u0080%c\0%c\0\0\0\0%c%c%c%c\0\0\0\0\0\0\0\0\0\0\0\0%s%s"
        .formatted(
            (char) opcode,
            (char) key.length(),
            (char) (bodyLength >>> 24),
            (char) (bodyLength >>> 16 & 0xFF),
            (char) (bodyLength >>> 8 & 0xFF),
            (char) (bodyLength & 0xFF),
            key,
            body);
  }

  @Test
  void binaryValue_thatStops_endsTheConnectionInTime() {
    EmbeddedChannel channel = connect();
    send(channel, packet(0x0e, "k", 50_000, "x".repeat(30_000)));
    assertTrue(intake.requests().bytesTaken() >= 30_000);
    pass(channel, 51);
    assertEquals(
        "append st=04 v=Invalid\\x20arguments\n",
        BinaryPackets.decode(TestServer.received(channel)));
    assertFalse(channel.isOpen());
    assertEquals(0, intake.requests().bytesTaken());
  }

  @Test
  void binaryBody_ofAStranger_isNotKept() {
    QuickUsers.in(folder, "default").create("ada", "secret", List.of("admin"));
    EmbeddedChannel stranger = connectStranger();
    send(stranger, packet(0x0e, "k", 50_000, ""));
    assertEquals(
        "append st=20 v=Auth\\x20failure.\n", BinaryPackets.decode(TestServer.received(stranger)));
    assertFalse(stranger.isOpen());
    EmbeddedChannel login = connectStranger();
    send(login, packet(0x21, "PLAIN", 50_000, "x".repeat(20_000)));
    assertEquals(
        "sasl_auth st=82 v=Out\\x20of\\x20memory\n",
        BinaryPackets.decode(TestServer.received(login)));
    assertEquals(0, intake.strangers().bytesTaken());
    send(login, "x".repeat(30_000 - "PLAIN".length()) + packet(0x21, "PLAIN", 16, "\0ada\0secret"));
    login.runPendingTasks();
    assertEquals(
        "sasl_auth st=00 v=Authenticated\n", BinaryPackets.decode(TestServer.received(login)));
    login.finishAndReleaseAll();
  }

  @Test
  void line_ofAStranger_isShort() {
    QuickUsers.in(folder, "default").create("ada", "secret", List.of("admin"));
    EmbeddedChannel stranger = connectStranger();
    send(stranger, "get " + "k ".repeat(2000));
    assertFalse(stranger.isOpen());
    EmbeddedChannel user = connectStranger();
    send(user, "set a 0 0 10\r\nada secret\r\n");
    user.runPendingTasks();
    assertEquals("STORED\r\n", TestServer.received(user));
    send(user, "get " + "k ".repeat(2000));
    assertTrue(user.isOpen());
    user.finishAndReleaseAll();
  }
}
