package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheAuthorization;
import dev.isogrid.api.CacheConfig;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallerTest {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final CacheConfig USUAL = CacheConfig.builder().build();
  private static final int READ = Permission.READ.mask();
  private static final int WRITE = Permission.WRITE.mask();

  @TempDir private Path folder;
  private PlayedServer server;
  private Caller caller;

  @BeforeEach
  void open() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), SECRET);
    QuickUsers.in(folder, "default").create("ada", "pass", List.of("application"));
    server =
        new PlayedServer(
            folder,
            true,
            new TokenSettings(null, null, secret, null, null, TokenSettings.Claims.USUAL));
    caller = server.caller();
  }

  @AfterEach
  void close() {
    caller.close();
    server.close();
  }

  private String step(String mechanism, String message) {
    byte[] answer = caller.step(mechanism, message.getBytes(StandardCharsets.UTF_8)).bytes();
    return new String(answer, StandardCharsets.UTF_8);
  }

  private AccessRefused refusal(String mechanism, String message) {
    return assertThrows(AccessRefused.class, () -> step(mechanism, message));
  }

  private void scram(Hash hash, String user, String password) {
    String mechanism = "SCRAM-" + hash.title;
    String bare = "n=" + user + ",r=clientnonce";
    String first = step(mechanism, "n,," + bare);
    assertTrue(first.startsWith("r=clientnonce"));
    assertTrue(step(mechanism, SaslClient.scramLast(hash, bare, first, password)).startsWith("v="));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHA-256", "SHA-384", "SHA-512"})
  void scram_withRightPassword_logsIn(String title) {
    scram(java.util.Objects.requireNonNull(Hash.ofSuffix(title)), "ada", "pass");
    assertEquals("ada", caller.name());
  }

  @Test
  void scram_ofWrongPasswordOrUser_failsAtTheSameStepWithTheSameWords() {
    AccessRefused wrong =
        assertThrows(AccessRefused.class, () -> scram(Hash.SHA_256, "ada", "Pass"));
    AccessRefused missing =
        assertThrows(AccessRefused.class, () -> scram(Hash.SHA_256, "eve", "pass"));
    assertEquals(wrong.text(), missing.text());
    assertEquals(saltOf("eve"), saltOf("eve"), "the made-up salt stays the same");
    assertNotEquals(saltOf("eve"), saltOf("bob"));
  }

  private String saltOf(String user) {
    byte[] message = ("n,,n=" + user + ",r=clientnonce").getBytes(StandardCharsets.UTF_8);
    byte[] first = server.caller().step("SCRAM-SHA-256", message).bytes();
    return new String(first, StandardCharsets.UTF_8).replaceAll(".*,s=", "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "n,,",
        "p=tls-unique,,n=ada,r=clientnonce",
        "n,a=eve,n=ada,r=clientnonce",
        "n,,n=a=b,r=clientnonce",
        "n,,n=ada,r=short"
      })
  void scram_ofMalformedFirstMessage_isRefused(String message) {
    assertEquals(AccessRefused.Reason.LOGIN_MALFORMED, refusal("SCRAM-SHA-256", message).reason());
  }

  @Test
  void scram_withProofOfAnotherExchange_isRefused() {
    String bare = "n=ada,r=clientnonce";
    String first = step("SCRAM-SHA-256", "n,," + bare);
    String last = SaslClient.scramLast(Hash.SHA_256, bare, first, "pass");
    step("SCRAM-SHA-512", "n,," + bare); // begins another
    step("SCRAM-SHA-256", "n,," + bare);
    assertThrows(AccessRefused.class, () -> step("SCRAM-SHA-256", last));
  }

  @Test
  void digest_withRightPassword_logsInAndProvesTheServer() {
    String challenge = step("DIGEST-SHA-256", "");
    String nonce = String.valueOf(Directives.parse(challenge).get("nonce"));
    String message = SaslClient.digestAnswer("ada", "pass", nonce);
    String head = SaslClient.digestHead("ada", "pass", nonce);
    assertEquals(
        "rspauth=" + SaslClient.hashed(head + SaslClient.hashed(":hotrod/infinispan")),
        step("DIGEST-SHA-256", message));
    assertEquals("ada", caller.name());
  }

  @Test
  void mechanisms_thatAreNotPossible_areNotOffered() {
    assertFalse(caller.mechanisms().contains("EXTERNAL"));
    assertTrue(caller.mechanisms().contains("PLAIN"));
    assertTrue(caller.mechanisms().contains("OAUTHBEARER"));
    refusal("EXTERNAL", "");
    refusal("", "");
    try (PlayedServer strict = new PlayedServer(folder, false, null)) {
      List<String> offered = strict.caller().mechanisms();
      assertEquals(
          List.of(
              "SCRAM-SHA-512",
              "SCRAM-SHA-384",
              "SCRAM-SHA-256",
              "DIGEST-SHA-512",
              "DIGEST-SHA-384",
              "DIGEST-SHA-256"),
          offered);
    }
  }

  @Test
  void access_whenRolesChange_changesInPlace() {
    Access cache = caller.cache("c", USUAL);
    assertFalse(cache.allows(READ));
    step("PLAIN", "\0ada\0pass");
    assertTrue(cache.allows(READ | WRITE));
    assertFalse(caller.server().allows(Permission.CREATE.mask()));
    server.users.grant("ada", List.of("deployer"));
    server.tick();
    assertTrue(caller.server().allows(Permission.CREATE.mask()));
    server.users.remove("ada");
    server.tick();
    assertFalse(cache.allows(READ));
    assertFalse(caller.server().allows(Permission.LOGGED_IN));
    assertEquals("-", caller.name());
  }

  @Test
  void access_toCacheMadeAnew_isByItsNewConfiguration() {
    step("PLAIN", "\0ada\0pass");
    assertTrue(caller.cache("c", USUAL).allows(WRITE));
    CacheConfig closed =
        USUAL.toBuilder().authorization(new CacheAuthorization(true, List.of("observer"))).build();
    assertFalse(caller.cache("c", closed).allows(READ));
  }

  @Test
  void login_ofToken_endsWithIt() {
    long endSeconds = server.nowMillis / 1000 + 100;
    String claims = "{'sub':'tok','exp':%d,'roles':['observer']}".formatted(endSeconds);
    String token = Tokens.signed("HS256", SECRET, claims);
    step("OAUTHBEARER", "n,,\u0001auth=Bearer " + token + "\u0001\u0001");
    Access cache = caller.cache("c", USUAL);
    assertTrue(cache.allows(READ));
    assertFalse(cache.allows(WRITE));
    server.nowMillis += (100 + TokenVerifier.CLOCK_SKEW_SECONDS) * 1000;
    server.tick();
    assertFalse(cache.allows(READ));
    assertEquals(
        AccessRefused.Reason.LOGIN_FAILED,
        refusal("OAUTHBEARER", "n,,%x01auth=Bearer " + token + "%x01").reason());
  }

  private static String bearer(String token) {
    return "n,,\u0001auth=Bearer " + token + "\u0001\u0001";
  }

  private String tokenOf(String user, String roles) {
    long endSeconds = server.nowMillis / 1000 + 100;
    return Tokens.signed(
        "HS256", SECRET, "{'sub':'%s','exp':%d,'roles':[%s]}".formatted(user, endSeconds, roles));
  }

  private PlayedServer serverOfTokens(boolean clearText, boolean addsFileRoles) {
    TokenSettings.Claims claims = new TokenSettings.Claims("sub", "roles", addsFileRoles);
    Path secret = folder.resolve("secret");
    return new PlayedServer(
        folder, clearText, new TokenSettings(null, null, secret, null, null, claims));
  }

  @Test
  void token_withoutTls_isTakenWhereClearTextIsAllowedOnly() {
    String token = tokenOf("tok", "'observer'");
    try (PlayedServer strict = serverOfTokens(false, false)) {
      Caller hotRod = strict.caller();
      assertFalse(hotRod.mechanisms().contains("OAUTHBEARER"));
      assertThrows(
          AccessRefused.class, () -> SaslClient.step(hotRod, "OAUTHBEARER", bearer(token)));
      Caller rest = strict.caller(new EmbeddedChannel(), "REST");
      HttpLogin login = new HttpLogin(rest);
      assertThrows(AccessRefused.class, () -> login.check("Bearer " + token, "GET", "/"));
      assertEquals(List.of("DIGEST"), login.schemes());
      assertFalse(login.challenges().toString().contains("Bearer"));
    }
    HttpLogin login = new HttpLogin(caller);
    login.check("Bearer " + token, "GET", "/");
    assertEquals("tok", caller.name());
    assertTrue(login.schemes().contains("BEARER"));
  }

  @Test
  void token_ofAUserOfTheFile_hasTheRolesOfTheFileIfWantedOnly() {
    String token = tokenOf("ada", "'monitor'");
    step("OAUTHBEARER", bearer(token));
    assertFalse(caller.cache("c", USUAL).allows(READ), "ada of the file may read");
    assertFalse(caller.hasRole("application"));
    assertTrue(caller.hasRole("monitor"));
    try (PlayedServer trusting = serverOfTokens(true, true)) {
      Caller known = trusting.caller();
      SaslClient.step(known, "OAUTHBEARER", bearer(token));
      assertTrue(known.cache("c", USUAL).allows(READ));
      trusting.users.revoke("ada", List.of("application"));
      trusting.tick();
      assertEquals("-", known.name(), "a role that ends, ends the session");
    }
    server.users.remove("ada");
    server.tick();
    assertEquals("ada", caller.name(), "the file does not matter");
  }

  @Test
  void tokens_thatAreRefused_leaveOthersAlone() {
    String wrong = Tokens.signed("HS256", "x".repeat(32), "{'sub':'tok','exp':1}");
    for (int i = 0; i <= LoginThrottle.FREE_OF_USER; i++) {
      assertEquals(
          AccessRefused.Reason.LOGIN_FAILED, refusal("OAUTHBEARER", bearer(wrong)).reason());
    }
    assertEquals(
        AccessRefused.Reason.LOGIN_TOO_SOON, refusal("OAUTHBEARER", bearer(wrong)).reason());
    step("OAUTHBEARER", bearer(tokenOf("tok", "")));
    assertEquals("tok", caller.name());
    for (int i = 0; i < LoginThrottle.GUESSES_OF_ADDRESS; i++) {
      refusal("OAUTHBEARER", bearer(wrong + "A".repeat(i)));
    }
    assertEquals(
        AccessRefused.Reason.LOGIN_TOO_SOON,
        refusal("OAUTHBEARER", bearer(tokenOf("other", ""))).reason());
    step("OAUTHBEARER", bearer(tokenOf("tok", "")));
    assertEquals("tok", caller.name());
  }

  @Test
  void connection_thatNobodyLogsInBy_isClosedInTime() {
    EmbeddedChannel silent = new EmbeddedChannel();
    EmbeddedChannel used = new EmbeddedChannel();
    EmbeddedChannel rest = new EmbeddedChannel();
    server.caller(silent, "Hot Rod");
    server.caller(used, "Hot Rod").login("ada", "pass", "PLAIN");
    server.caller(rest, "REST");
    server.nowMillis += Caller.LOGIN_SECONDS_MAX * 1000 - 1;
    server.tick();
    assertTrue(silent.isOpen());
    server.nowMillis++;
    server.tick();
    assertFalse(silent.isOpen());
    assertEquals(0, server.security.loginsFailed(), "nobody tried");
    assertTrue(used.isOpen());
    assertTrue(rest.isOpen());
  }

  @Test
  void login_afterManyFailures_isRefusedUnchecked() {
    for (int i = 0; i <= LoginThrottle.FREE_OF_USER; i++) {
      assertEquals(AccessRefused.Reason.LOGIN_FAILED, refusal("PLAIN", "\0ada\0wrong").reason());
    }
    assertEquals(AccessRefused.Reason.LOGIN_TOO_SOON, refusal("PLAIN", "\0ada\0pass").reason());
    server.nowMillis += LoginThrottle.FIRST_MILLIS;
    step("PLAIN", "\0ada\0pass");
    assertEquals("ada", caller.name());
  }

  @Test
  void proceed_afterTheEndOfScram_confirmsTheEmptyStep() {
    String bare = SaslClient.scramBare("ada");
    byte[] first = ("n,," + bare).getBytes(StandardCharsets.UTF_8);
    Caller.SaslReply challenge = caller.begin("SCRAM-SHA-256", first);
    String serverFirst = new String(challenge.bytes(), StandardCharsets.UTF_8);
    String last = SaslClient.scramLast(Hash.SHA_256, bare, serverFirst, "pass");
    Caller.SaslReply end = caller.proceed("SCRAM-SHA-256", last.getBytes(StandardCharsets.UTF_8));
    assertFalse(end.isComplete());
    assertTrue(new String(end.bytes(), StandardCharsets.UTF_8).startsWith("v="));
    assertTrue(caller.proceed("SCRAM-SHA-256", new byte[0]).isComplete());
    assertEquals("ada", caller.name());
    assertThrows(AccessRefused.class, () -> caller.proceed("SCRAM-SHA-256", new byte[0]));
  }
}
