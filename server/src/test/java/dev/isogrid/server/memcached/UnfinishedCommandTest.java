package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.Intake;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.Security;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.security.Users;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that arrive slowly or not in full: what they may take, and how long. */
class UnfinishedCommandTest {
  @TempDir private Path folder;

  private final TestServer server = new TestServer();
  private final Intake intake = Intake.of(69_000);

  @AfterEach
  void close() {
    server.close();
  }

  private EmbeddedChannel connect(Security security) {
    ServerContext context = server.context;
    ServerContext bounded =
        new ServerContext(
            context.node(),
            context.engines(),
            context.topology(),
            context.ownEndpoint(),
            context.catalog(),
            context.version(),
            context.contentLengthMax(),
            context.defaultCache(),
            context.memcachedCache(),
            context.startedMillis(),
            context.traffic(),
            context.problems(),
            security,
            context.tasks(),
            intake);
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.freezeTime();
    new MemcachedProtocol(bounded).install(channel.pipeline());
    return channel;
  }

  private EmbeddedChannel connect() {
    return connect(server.context.security());
  }

  private EmbeddedChannel connectStranger() {
    SecuritySettings.Login login =
        new SecuritySettings.Login("default", "isogrid", true, true, null, null, false);
    SecuritySettings settings = new SecuritySettings(login, Roles.PREDEFINED, false, folder);
    return connect(new Security(settings, server.node.env(), _ -> true));
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

  @Test
  void line_ofAStranger_isShort() {
    new Users(folder, "default").create("ada", "secret", List.of("admin"));
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
