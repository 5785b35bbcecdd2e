package dev.isogrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cli.CommandLineSession.Ran;
import dev.isogrid.server.Protection;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.security.Users;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins by a password, at a server that wants them. */
class LoginTest {
  private static final String PASSWORD = "secret";

  /** Names with characters of one byte, of two, and of more. */
  private static final List<String> NAMES = List.of("jörg", "жанна", "王*芳");

  @TempDir
  @SuppressWarnings("NullAway.Init") // by JUnit
  private static Path folder;

  @SuppressWarnings("NullAway.Init") // by startTheServer
  private static CommandServer server;

  @BeforeAll
  static void startTheServer() {
    Users users = new Users(folder, SecuritySettings.REALM);
    users.create("ada", PASSWORD, List.of("admin"));
    users.create("eve", PASSWORD, List.of("monitor"));
    users.create("bob", " with blanks ", List.of("monitor"));
    NAMES.forEach(name -> users.create(name, PASSWORD, List.of("monitor")));
    SecuritySettings.Login login =
        new SecuritySettings.Login(
            SecuritySettings.REALM, SecuritySettings.SERVER_NAME, true, true, null, null, false);
    server =
        new CommandServer(
            new Protection(new SecuritySettings(login, Roles.PREDEFINED, false, folder), null));
  }

  @AfterAll
  static void stopTheServer() {
    server.close();
  }

  private static CommandLineSession cli() {
    return new CommandLineSession(folder, server.url());
  }

  @Test
  void withoutALogin_theServerIsNotReached() {
    Ran ran = cli().run("ls", "caches");
    assertEquals(ExitCode.FAILED, ran.exitCode());
    assertEquals(
        "isogrid: the server wants a login; connect with --user NAME, or --token-file FILE\n",
        ran.errors());
  }

  @Test
  void rightPassword_fromTheUserOrAFile_isTaken() throws IOException {
    Ran asked = cli().password(PASSWORD).run("-u", "ada", "ls", "caches");
    assertTrue(asked.output().startsWith("default\n"), asked::errors);
    Path file = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
    Ran ran = cli().run("-u", "ada", "--password-file", file.toString(), "whoami");
    assertTrue(ran.output().contains("ada"), ran::errors);
  }

  @Test
  void passwordFile_isTakenWithItsBlanks() throws IOException {
    Path file = Files.writeString(folder.resolve("blanks"), " with blanks \n");
    Ran ran = cli().run("-u", "bob", "--password-file", file.toString(), "whoami");
    assertEquals(ExitCode.DONE, ran.exitCode(), ran::errors);
  }

  @Test
  void userWithANameThatIsNotAscii_logsIn() {
    for (String name : NAMES) {
      Ran ran = cli().password(PASSWORD).run("-u", name, "--output", "json", "whoami");
      assertEquals(ExitCode.DONE, ran.exitCode(), ran::errors);
    }
  }

  @Test
  void tokenThatNoHeaderTakes_isRefusedWithoutShowingIt() throws IOException {
    Path file = Files.writeString(folder.resolve("token"), "€1234\n");
    Ran ran = cli().run("--token-file", file.toString(), "ls", "caches");
    assertEquals(
        "isogrid: a media type or a token has characters that a request can't have; correct it\n",
        ran.errors());
    assertEquals(ExitCode.USAGE, ran.exitCode());
  }

  @Test
  void manyRequests_areOneLogin() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      lines.append("{\"key\":\"k%d\",\"value\":\"v\"}\n".formatted(i));
    }
    Ran ran =
        cli()
            .password(PASSWORD)
            .runWith(
                lines.toString(), "-c", server.url(), "-u", "ada", "import", "-c", "default", "-");
    assertEquals("imported 200 entries\n", ran.output(), ran::errors);
  }

  @Test
  void wrongPassword_isRefusedInWords() {
    Ran ran = cli().password("guess").run("-u", "ada", "ls", "caches");
    assertEquals(ExitCode.FAILED, ran.exitCode());
    assertTrue(
        ran.errors().startsWith("isogrid: the server refused the login; check user and password"),
        ran.errors());
    assertEquals(ExitCode.FAILED, cli().run("-u", "ada", "ls", "caches").exitCode());
  }

  @Test
  void userWithoutAPermission_isToldWhichOne() {
    Ran ran = cli().password(PASSWORD).run("-u", "eve", "put", "-c", "default", "k", "v");
    assertEquals(ExitCode.FAILED, ran.exitCode());
    assertTrue(ran.errors().startsWith("isogrid: not permitted: "), ran.errors());
    assertTrue(ran.errors().contains("WRITE"), ran.errors());
  }

  /** The example of RFC 7616, section 3.9.1, but for the client's nonce, which is random. */
  @Test
  void digest_isBegunByAChallenge_andCountsRequests() {
    Login login = new Login("Mufasa", () -> "Circle of Life", () -> null);
    assertNull(login.header("GET", "/dir/index.html"));
    List<String> challenges =
        List.of(
            "Basic realm=\"x\"",
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=SHA-256,"
                + " nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\"");
    String first = login.answer(challenges, "GET", "/dir/index.html");
    assertNotNull(first);
    assertTrue(first.contains("nc=00000001"), first);
    String second = login.header("GET", "/dir/index.html");
    assertNotNull(second);
    assertTrue(second.contains("nc=00000002"), second);
    assertNull(login.answer(List.of("Basic realm=\"x\""), "GET", "/"));
  }
}
