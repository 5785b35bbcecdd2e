package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.Intake;
import dev.isogrid.server.security.QuickUsers;
import dev.isogrid.server.security.Users;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins by SASL, and permissions in the binary protocol. */
class BinaryLoginTest {
  private static final String FAILED = " st=20 v=Auth\\x20failure.\n";
  private static final String NOT_PERMITTED = " st=20 v=Not\\x20permitted.\n";
  private static final String LOGIN_OF_ADA = "sasl_auth key=PLAIN v=\\x00ada\\x00secret";
  private static final String LOGIN_OF_OBS = "sasl_auth key=PLAIN v=\\x00obs\\x00secret";
  private static final String AUTHENTICATED = "sasl_auth st=00 v=Authenticated\n";

  @TempDir private Path folder;

  private final TestServer server = new TestServer();
  private EmbeddedChannel channel;

  @BeforeEach
  void connect() {
    Users users = QuickUsers.in(folder, "default");
    users.create("ada", "secret", List.of("admin"));
    users.create("obs", "secret", List.of("observer"));
    channel = new EmbeddedChannel();
    new MemcachedProtocol(server.context(server.secured(folder), Intake.of(1 << 20)))
        .install(channel.pipeline());
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    server.close();
  }

  private String ask(String... requests) {
    byte[] bytes = BinaryPackets.encode(String.join("\n", requests));
    channel.writeInbound(channel.alloc().buffer().writeBytes(bytes));
    channel.runPendingTasks();
    return BinaryPackets.decode(TestServer.received(channel));
  }

  @Test
  void list_beforeLogin_hasTheServersMechanisms() {
    String reply = ask("sasl_list_mechs o=07");
    assertTrue(reply.startsWith("sasl_list_mechs st=00 v=SCRAM-SHA-512\\x20"), reply);
    assertTrue(reply.contains("\\x20PLAIN") && reply.endsWith(" o=00000007\n"), reply);
  }

  @Test
  void plain_inOneStep_logsIn() {
    assertEquals(AUTHENTICATED, ask(LOGIN_OF_ADA));
    assertEquals("get st=01 v=Not\\x20found\n", ask("get key=a"));
    assertTrue(ask("stat").contains(" key=auth_cmds v=1\nstat st=00 key=auth_errors v=0\n"));
  }

  @Test
  void plain_inTwoSteps_logsIn() {
    assertEquals("sasl_auth st=21\n", ask("sasl_auth key=PLAIN"));
    assertEquals(
        "sasl_step st=00 v=Authenticated\n", ask("sasl_step key=PLAIN v=\\x00ada\\x00secret"));
    assertEquals("noop st=00\n", ask("noop"));
  }

  @Test
  void login_thatFails_mayBeTriedAgain() {
    assertEquals("sasl_auth" + FAILED, ask("sasl_auth key=PLAIN v=\\x00ada\\x00wrong"));
    assertEquals("sasl_auth" + FAILED, ask("sasl_auth key=NONE v=x"));
    assertEquals("sasl_step" + FAILED, ask("sasl_step key=PLAIN v=\\x00ada\\x00secret"));
    assertEquals(
        "sasl_auth st=04 v=Invalid\\x20arguments\n", ask("sasl_auth key={X*33} v=whatever"));
    assertEquals(AUTHENTICATED, ask(LOGIN_OF_ADA));
    assertTrue(ask("stat").contains(" key=auth_errors v=3\n"));
  }

  private static void assertBegins(String begin, String reply) {
    assertTrue(reply.startsWith(begin), reply);
  }

  @Test
  void login_begunTwice_countsFromTheSecond() {
    String first = "sasl_auth key=SCRAM-SHA-256 v=n,,n=ada,r=clientnonce";
    assertBegins("sasl_auth st=21 v=r=clientnonce", ask(first));
    assertBegins("sasl_auth st=21 v=r=clientnonce", ask(first));
    assertEquals(AUTHENTICATED, ask(LOGIN_OF_ADA));
  }

  @ParameterizedTest
  @ValueSource(strings = {"get key=a", "noop", "version", "stat", "quit", "flushq", "60"})
  void request_beforeLogin_closesTheConnection(String request) {
    assertEquals(request.split(" ", -1)[0] + FAILED, ask(request));
    assertFalse(channel.isOpen());
  }

  @Test
  void requests_ofAnObserver_areRefusedByRole() {
    assertEquals(AUTHENTICATED, ask(LOGIN_OF_OBS));
    String store = " key=a x=0000000000000000 v=x";
    String calculate = " key=a x=000000000000000100000000000000000000000";
    assertEquals("set" + NOT_PERMITTED, ask("set" + store));
    assertEquals("setq" + NOT_PERMITTED, ask("setq" + store));
    assertEquals("addq" + NOT_PERMITTED, ask("addq" + store));
    assertEquals("replace" + NOT_PERMITTED, ask("replace" + store));
    assertEquals("append" + NOT_PERMITTED, ask("append key=a v=x"));
    assertEquals("prependq" + NOT_PERMITTED, ask("prependq key=a v=x"));
    assertEquals("delete" + NOT_PERMITTED, ask("delete key=a"));
    assertEquals("increment" + NOT_PERMITTED, ask("increment" + calculate + "0"));
    assertEquals("decrementq" + NOT_PERMITTED, ask("decrementq" + calculate + "0"));
    assertEquals("touch" + NOT_PERMITTED, ask("touch key=a x=00000000"));
    assertEquals("gatkq" + NOT_PERMITTED, ask("gatkq key=a x=00000000"));
    assertEquals("flush" + NOT_PERMITTED, ask("flush"));
    assertEquals("get st=01 v=Not\\x20found\nnoop st=00\n", ask("get key=a", "getq key=a", "noop"));
    assertTrue(ask("stat").endsWith("stat st=00\n"));
    assertTrue(channel.isOpen());
  }

  @Test
  void quit_afterLogin_closes() {
    assertEquals(AUTHENTICATED + "quit st=00\n", ask(LOGIN_OF_OBS) + ask("quit"));
    assertFalse(channel.isOpen());
  }
}
