package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheAuthorization;
import dev.isogrid.server.security.QuickUsers;
import dev.isogrid.server.security.Users;
import dev.isogrid.server.task.GuardedTask;
import dev.isogrid.server.task.TaskLibrary;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecuredConnectionTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int PING = 0x17;
  private static final int AUTH_MECH_LIST = 0x21;
  private static final int AUTH = 0x23;
  private static final int EXEC = 0x2B;
  private static final int REFUSED = 0x85;
  private static final int NOT_FOUND = 0x02;

  @TempDir private Path folder;
  private TestServer server;
  private TestServer.Connection connection;

  @BeforeEach
  void connect() {
    Users users = QuickUsers.in(folder, "default");
    users.create("ada", "secret", List.of("admin"));
    users.create("obs", "secret", List.of("observer"));
    users.create("app", "secret", List.of("application"));
    users.create("dep", "secret", List.of("deployer"));
    TaskLibrary tasks = TaskLibrary.open(GuardedTask.deploy(folder));
    server =
        new TestServer(TestServer.CONTENT_LENGTH_MAX, tasks)
            .with("c")
            .with(
                "closed",
                TestServer.config()
                    .authorization(new CacheAuthorization(true, List.of("deployer"))))
            .with("open", TestServer.config().authorization(CacheAuthorization.OFF));
    connection = server.connectSecured(folder);
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private Response logIn(String user, String password) {
    return connection.call(login(user, password));
  }

  private static RequestBytes login(String user, String password) {
    return new RequestBytes(31, AUTH)
        .cache("")
        .string("PLAIN")
        .string("\0" + user + "\0" + password);
  }

  private Response get(String cache) {
    return connection.call(new RequestBytes(31, GET).cache(cache).string("k"));
  }

  private Response put(String cache) {
    return connection.call(new RequestBytes(31, PUT).cache(cache).string("k").u8(0x88).string("v"));
  }

  private static void assertRefused(Response response, String text) {
    assertEquals(REFUSED, response.status());
    assertTrue(
        response.field("message").contains("java.lang.SecurityException"), response.toString());
    assertTrue(response.field("message").contains(text), response.toString());
  }

  @Test
  void requests_beforeLogin_areRefusedButForTheLoginItself() {
    assertEquals(0, connection.call(new RequestBytes(31, PING).cache("c")).status());
    assertEquals(0, connection.call(new RequestBytes(31, AUTH_MECH_LIST).cache("")).status());
    assertRefused(get("c"), "requires authentication");
    assertRefused(put("c"), "requires authentication");
    assertRefused(get("missing"), "requires authentication");
    assertRefused(
        connection.call(new RequestBytes(31, EXEC).cache("").string("@@cache@names").vInt(0)),
        "requires authentication");
  }

  @ParameterizedTest
  @ValueSource(strings = {"wrong", "", "secret2"})
  void login_withWrongPassword_isRefused(String password) {
    assertRefused(logIn("ada", password), "login failed");
    assertRefused(logIn("nobody", "secret"), "login failed");
    assertRefused(get("c"), "requires authentication");
  }

  @Test
  void login_ofUnknownMechanism_isAParseError() {
    Response response =
        connection.call(new RequestBytes(31, AUTH).cache("").string("DIGEST-MD5").string(""));
    assertEquals(0x84, response.status());
  }

  @Test
  void requests_afterLogin_areThoseOfTheRole() {
    assertEquals(0, logIn("obs", "secret").status());
    assertEquals(NOT_FOUND, get("c").status());
    assertRefused(put("c"), "WRITE");
    assertEquals(0x84, get("missing").status());
    assertEquals(0, logIn("ada", "secret").status());
    assertEquals(0, put("c").status());
  }

  @Test
  void task_withARole_isRunByThoseOnlyWhoHaveIt() {
    RequestBytes exec = new RequestBytes(31, EXEC).cache("").string("guarded").vInt(0);
    logIn("obs", "secret");
    assertRefused(connection.call(exec), "lacking=EXEC");
    for (String user : List.of("app", "ada")) {
      logIn(user, "secret");
      assertRefused(
          connection.call(exec),
          "task guarded is not permitted: user=%s, lacking=role deployer; ask for that role"
              .formatted(user));
    }
    assertEquals(0, logIn("dep", "secret").status());
    assertEquals(0, connection.call(exec).status());
    try (TestServer.Connection open = server.connect()) {
      assertEquals(0, open.call(exec).status());
    }
  }

  @Test
  void task_onACacheWithRolesOfItsOwn_needsThePermissionsOfItsOwnCaller() {
    RequestBytes exec = new RequestBytes(31, EXEC).cache("closed").string("guarded").vInt(0);
    HotRodProtocol protocol = server.newSecuredProtocol(folder);
    try (TestServer.Connection deployer = server.connect(protocol);
        TestServer.Connection admin = server.connect(protocol, deployer)) {
      assertEquals(0, deployer.call(login("dep", "secret")).status());
      assertEquals(0, admin.call(login("ada", "secret")).status());
      assertEquals(0, deployer.call(exec).status());
      assertRefused(admin.call(exec), "lacking=EXEC");
      assertEquals(0, deployer.call(exec).status());
    }
  }

  @Test
  void cache_withRolesOfItsOwn_decidesByThem() {
    logIn("ada", "secret");
    assertRefused(get("closed"), "READ");
    logIn("obs", "secret");
    assertEquals(0, put("open").status());
    assertRefused(put("c"), "WRITE");
  }

  @Test
  void request_ofAStrangerThatIsNotALogin_isRefusedByItsHeader() {
    RequestBytes put =
        new RequestBytes(31, PUT).id(7).cache("c").string("k").u8(0x88).string("v".repeat(9000));
    connection.send(Arrays.copyOf(put.bytes(), 2000));
    Response refusal = connection.response(put);
    assertRefused(refusal, "requires authentication");
    assertEquals(7, refusal.id());
    connection.passFarewell();
    assertFalse(connection.channel.isOpen());
  }

  @Test
  void login_ofAStrangerThatIsLong_isRefused() {
    RequestBytes login =
        new RequestBytes(31, AUTH).cache("").string("PLAIN").string("x".repeat(100_000));
    connection.send(Arrays.copyOf(login.bytes(), 16 << 10));
    assertEquals(0, connection.received().length);
    connection.send(new byte[1]);
    assertRefused(connection.response(login), "requires authentication");
    RequestBytes cache = new RequestBytes(31, PING).cache("x".repeat(100_000));
    try (TestServer.Connection other = server.connectSecured(folder)) {
      other.send(Arrays.copyOf(cache.bytes(), (16 << 10) + 1));
      assertRefused(other.response(cache), "requires authentication");
    }
  }

  @Test
  void requests_inPieces_areTakenAfterLogin() {
    RequestBytes login =
        new RequestBytes(31, AUTH).cache("").string("PLAIN").string("\0ada\0secret");
    connection.send(login.bytes(), 5);
    assertEquals(0, connection.response(login).status());
    RequestBytes put =
        new RequestBytes(31, PUT).cache("c").string("k").u8(0x88).string("v".repeat(50_000));
    connection.send(put.bytes(), 1000);
    assertEquals(0, connection.response(put).status());
  }

  @Test
  void stranger_thatTakesNoReplies_costsLittle() {
    byte[] pings = new byte[0];
    RequestBytes ping = new RequestBytes(31, PING).cache("");
    for (int i = 0; i < 500; i++) {
      byte[] next = ping.bytes();
      pings = Arrays.copyOf(pings, pings.length + next.length);
      System.arraycopy(next, 0, pings, pings.length - next.length, next.length);
    }
    ChannelOutboundBuffer out = connection.channel.unsafe().outboundBuffer();
    connection.channel.pipeline().addFirst(new Dam());
    connection.send(pings);
    assertFalse(connection.channel.config().isAutoRead());
    assertTrue(out.totalPendingWriteBytes() < 10_000, () -> "" + out.totalPendingWriteBytes());
    connection.channel.pipeline().removeFirst();
    connection.channel.flush();
    connection.received();
  }

  /** Holds back all output. */
  private static final class Dam extends ChannelOutboundHandlerAdapter {
    @Override
    public void flush(ChannelHandlerContext context) {}
  }
}
