package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.server.security.AccessRefused.Reason;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The effect of a user's change on connections with the user's login. */
class SessionEndTest {
  private static final CacheConfig USUAL = CacheConfig.builder().build();

  @TempDir private Path folder;
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private PlayedServer server;

  @BeforeEach
  void open() {
    Users users = QuickUsers.in(folder, "default");
    users.create("ada", "pass", List.of("application", "observer"));
    users.create("bob", "word", List.of("observer"));
    server = new PlayedServer(folder, true, null);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    server.close();
  }

  private void letTheGracePass() {
    channel.advanceTimeBy(Caller.CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  private void assertEnded(Caller caller, Access cache) {
    assertEquals("-", caller.name());
    assertFalse(cache.allows(Permission.READ.mask()));
    assertFalse(caller.server().allows(Permission.LOGGED_IN));
    assertEquals(Reason.NOT_LOGGED_IN, caller.refusal(Permission.READ.mask(), "GET").reason());
    letTheGracePass();
    assertFalse(channel.isOpen());
  }

  @Test
  void session_whosePasswordWasChanged_ends() {
    Caller caller = server.caller(channel, "Hot Rod");
    SaslClient.endScram(caller, "ada", SaslClient.beginScram(caller, "ada"), "pass");
    Access cache = caller.cache("c", USUAL);
    assertTrue(cache.allows(Permission.READ.mask()));
    server.users.password("ada", "new");
    server.tick();
    assertEnded(caller, cache);
  }

  @Test
  void session_whosePasswordWasSetAnewAsItWas_endsToo() {
    Caller caller = server.caller(channel, "memcached");
    caller.login("ada", "pass", "set");
    Access cache = caller.cache("c", USUAL);
    server.users.password("ada", "pass");
    server.tick();
    assertEnded(caller, cache);
  }

  @Test
  void session_whoseUserWasRemoved_ends() {
    Caller caller = server.caller(channel, "Hot Rod");
    caller.login("ada", "pass", "PLAIN");
    Access cache = caller.cache("c", USUAL);
    server.users.remove("ada");
    server.tick();
    assertEnded(caller, cache);
  }

  @Test
  void session_whoseUserLosesARole_ends() {
    Caller caller = server.caller(channel, "Hot Rod");
    caller.login("ada", "pass", "PLAIN");
    Access cache = caller.cache("c", USUAL);
    server.users.revoke("ada", List.of("application"));
    server.tick();
    assertEnded(caller, cache);
  }

  @Test
  void session_whoseUserLosesARoleThatCameLater_ends() {
    Caller caller = server.caller(channel, "Hot Rod");
    caller.login("ada", "pass", "PLAIN");
    Access cache = caller.cache("c", USUAL);
    server.users.grant("ada", List.of("deployer"));
    server.tick();
    assertTrue(caller.server().allows(Permission.CREATE.mask()));
    server.users.revoke("ada", List.of("deployer"));
    server.tick();
    assertEnded(caller, cache);
  }

  @Test
  void session_whenOtherUsersChange_goesOn() {
    Caller caller = server.caller(channel, "Hot Rod");
    caller.login("ada", "pass", "PLAIN");
    Identity before = caller.identity();
    server.users.password("bob", "new");
    server.users.create("eve", "p", List.of());
    server.users.remove("bob");
    server.tick();
    letTheGracePass();
    assertTrue(channel.isOpen());
    assertSame(before, caller.identity());
  }

  @Test
  void session_whoseUserGetsARole_goesOnWithIt() {
    Caller caller = server.caller(channel, "Hot Rod");
    caller.login("bob", "word", "PLAIN");
    Access cache = caller.cache("c", USUAL);
    server.users.grant("bob", List.of("application"));
    server.tick();
    assertTrue(cache.allows(Permission.WRITE.mask()));
    letTheGracePass();
    assertTrue(channel.isOpen());
  }

  @Test
  void keptConnectionOfHttp_afterAChangedPassword_hasToLogInAnew() {
    HttpLogin login = new HttpLogin(server.caller(channel, "REST"));
    String header = SaslClient.basic("ada", "pass");
    login.check(header, "GET", "/");
    server.users.password("ada", "new");
    server.tick();
    assertTrue(login.takesLong(header));
    assertThrows(AccessRefused.class, () -> login.check(header, "GET", "/"));
    login.check(SaslClient.basic("ada", "new"), "GET", "/");
    letTheGracePass();
    assertTrue(channel.isOpen(), "HTTP asks for each request, so there is nothing to close");
  }

  @Test
  void login_thatBeganBeforeTheChange_isOfTheFormerUser() {
    Caller caller = server.caller(channel, "Hot Rod");
    String begun = SaslClient.beginScram(caller, "ada");
    server.users.password("ada", "new");
    server.tick();
    assertThrows(AccessRefused.class, () -> SaslClient.endScram(caller, "ada", begun, "pass"));
    assertEquals("-", caller.name());
  }
}
