package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserCommandTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    List<String> all = new ArrayList<>(Arrays.asList(args));
    if (args.length > 0) {
      all.addAll(List.of("--conf", folder.toString()));
    }
    out.reset();
    err.reset();
    return new UserCommand(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            () -> "asked",
            new ByteArrayInputStream("typed\nmore\n".getBytes(StandardCharsets.UTF_8)))
        .run(all.toArray(String[]::new), new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private String output() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String error() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void users_throughTheirLife_areAdministered() throws Exception {
    assertEquals(0, run("create", "ada", "--password", "secret", "--roles", "admin,observer"));
    assertTrue(output().contains("user=ada, roles=admin,observer"), output());
    assertEquals(0, run("create", "bob"));
    assertTrue(
        output().contains("isogrid user grant bob application --conf " + folder + "\n"), output());
    assertEquals(0, run("create", "cert", "--no-password", "--roles", "monitor"));
    assertEquals(0, run("revoke", "ada", "admin"));
    assertEquals(0, run("grant", "bob", "application", "deployer"));
    assertEquals(0, run("password", "bob"));
    assertEquals(0, run("list"));
    assertEquals(
        """
        user=ada, roles=observer
        user=bob, roles=application,deployer
        user=cert, roles=monitor, no password
        """,
        output().replace("\r", ""));
    assertEquals(0, run("roles", "bob"));
    assertTrue(output().contains("application,deployer"), output());
    assertEquals(0, run("remove", "ada"));
    assertFalse(Files.readString(folder.resolve("users.properties")).contains("ada="));
  }

  @Test
  void adviceOfAServerWithoutUsers_namesTheFolderThatItReads() {
    String advice = Server.noUsers(folder);

    assertTrue(advice.endsWith("--roles admin --conf " + folder), advice);
  }

  private boolean isPassword(String user, String password) throws Exception {
    Properties users = new Properties();
    try (var in = Files.newBufferedReader(folder.resolve("users.properties"))) {
      users.load(in);
    }
    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest((user + ":default:" + password).getBytes(StandardCharsets.UTF_8));
    return users.getProperty(user).contains(Base64.getEncoder().encodeToString(hash));
  }

  @Test
  void password_isReadFromAFileOrTheInputOrAskedFor() throws Exception {
    Path file = Files.writeString(folder.resolve("password"), "of file\nanother line\n");
    assertEquals(0, run("create", "ada", "--password-file", file.toString()));
    assertTrue(isPassword("ada", "of file"));
    assertEquals(0, run("create", "bob", "--password-file", "-"));
    assertTrue(isPassword("bob", "typed"));
    assertEquals(0, run("create", "cyd"));
    assertTrue(isPassword("cyd", "asked"));
    assertEquals(0, run("password", "cyd", "--password-file", "-"));
    assertTrue(isPassword("cyd", "typed"));
    assertEquals("", error());
  }

  @Test
  void password_onTheCommandLine_isTakenWithAWarning() throws Exception {
    assertEquals(0, run("create", "ada", "--password", "open"));
    assertTrue(isPassword("ada", "open"));
    assertTrue(error().contains("can see a password on the command line"), error());
    assertTrue(error().contains("--password-file"), error());
  }

  @Test
  void folder_thatTheCommandMakes_isForItsOwnerOnly() throws Exception {
    Path made = folder.resolve("data");
    ByteArrayOutputStream ignored = new ByteArrayOutputStream();
    PrintStream nowhere = new PrintStream(ignored, true, StandardCharsets.UTF_8);
    new UserCommand(nowhere, () -> "asked", InputStream.nullInputStream())
        .run(new String[] {"create", "ada", "--data", made.toString()}, nowhere);
    Path conf = made.resolve("conf");
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(conf)));
    Files.setPosixFilePermissions(conf, PosixFilePermissions.fromString("rwxrwxrwx"));
    ignored.reset();
    new UserCommand(nowhere, () -> "asked", InputStream.nullInputStream())
        .run(new String[] {"create", "bob", "--data", made.toString()}, nowhere);
    assertTrue(ignored.toString(StandardCharsets.UTF_8).contains("others can write to folder"));
  }

  @Test
  void roles_withoutAUser_listsWhatThereIs() {
    assertEquals(0, run("roles"));
    assertTrue(output().contains("role=observer, permits=READ+BULK_READ+MONITOR"), output());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create",
        "create a b",
        "remove nobody",
        "grant nobody admin",
        "create ada --password x --roles superman",
        "create ada --password x --roles admin,superman",
        "grant",
        "fly",
        "list --fast",
        "create a;b --password x",
        "create a --password-file no-such-file",
        "create a --password-file - --no-password",
        "create a --password x --password-file -",
      })
  void mistakes_areToldInOneLine(String line) {
    assertEquals(Main.EXIT_USAGE, run(line.split(" ", -1)));
    assertEquals(1, error().lines().count(), error());
    assertTrue(error().startsWith("isogrid: "), error());
  }

  @Test
  void customRoles_areForThoseWhoAskForThem() {
    assertEquals(0, run("create", "ada", "--password", "x", "--roles", "clerk", "--custom-roles"));
    assertTrue(output().contains("user=ada, roles=clerk"), output());
    assertEquals(Main.EXIT_USAGE, run("grant", "ada", "superman"));
    assertTrue(error().contains("unknown roles: roles=[superman]; use some of admin"), error());
    assertEquals(0, run("grant", "ada", "boss", "--custom-roles"));
    assertEquals(0, run("revoke", "ada", "clerk"));
    assertTrue(output().contains("user=ada, roles=boss"), output());
  }

  @Test
  void help_isThere() {
    assertEquals(0, run());
    assertTrue(output().contains("grant"), output());
    assertEquals(0, run("create", "--help"));
    assertTrue(output().contains("--no-password"), output());
  }
}
