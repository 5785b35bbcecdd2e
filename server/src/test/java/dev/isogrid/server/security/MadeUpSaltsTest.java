package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first message of SCRAM does not reveal whether the user exists. */
class MadeUpSaltsTest {
  private static final List<String> HASHES = List.of("SHA-256", "SHA-384", "SHA-512");

  @TempDir private Path folder;

  private static Map<String, String> first(PlayedServer server, String hash, String user) {
    return SaslClient.scramFields(
        SaslClient.step(server.caller(), "SCRAM-" + hash, "n,," + SaslClient.scramBare(user)));
  }

  private static Set<String> salts(PlayedServer server, String user) {
    Set<String> salts = new HashSet<>();
    HASHES.forEach(hash -> salts.add(String.valueOf(first(server, hash, user).get("s"))));
    return salts;
  }

  @Test
  void salts_ofUsersThereAreAndAreNot_differFromMechanismToMechanism() {
    new Users(folder, "default").create("ada", "pass", List.of());
    try (PlayedServer server = new PlayedServer(folder, true, null)) {
      for (String user : List.of("ada", "eve")) {
        assertEquals(HASHES.size(), salts(server, user).size(), user);
      }
      String known = String.valueOf(first(server, "SHA-256", "ada").get("s"));
      String unknown = String.valueOf(first(server, "SHA-256", "eve").get("s"));
      assertEquals(known.length(), unknown.length());
      assertNotEquals(salts(server, "eve"), salts(server, "bob"));
    }
  }

  @Test
  void salts_madeUp_areTheSameAfterARestartAndWhereTheFileWasCopiedTo() throws Exception {
    new Users(folder, "default").create("ada", "pass", List.of());
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.copy(folder.resolve("users.properties"), other.resolve("users.properties"));
    Set<String> before;
    try (PlayedServer server = new PlayedServer(folder, true, null)) {
      before = salts(server, "eve");
    }
    try (PlayedServer restarted = new PlayedServer(folder, true, null);
        PlayedServer node = new PlayedServer(other, true, null)) {
      assertEquals(before, salts(restarted, "eve"));
      assertEquals(before, salts(node, "eve"));
      restarted.users.create("bob", "p", List.of());
      restarted.tick();
      assertEquals(before, salts(restarted, "eve"));
    }
  }

  @Test
  void salts_madeUp_areOfEachServerItsOwn() {
    Path one = folder.resolve("one");
    Path two = folder.resolve("two");
    new Users(one, "default").create("ada", "pass", List.of());
    new Users(two, "default").create("ada", "pass", List.of());
    try (PlayedServer first = new PlayedServer(one, true, null);
        PlayedServer second = new PlayedServer(two, true, null)) {
      assertNotEquals(salts(first, "eve"), salts(second, "eve"));
    }
  }

  @Test
  void start_withAFileOfAnEarlierVersion_keepsItsLinesAndAddsTheSecret() throws Exception {
    Users users = new Users(folder, "default");
    users.create("ada", "pass", List.of("admin"));
    String lines =
        String.join(
            "\n",
            Files.readAllLines(users.path()).stream()
                .filter(line -> !line.startsWith("#"))
                .toList());
    Files.writeString(users.path(), "# my users\n" + lines + "\n");
    Set<String> before;
    try (PlayedServer server = new PlayedServer(folder, true, null)) {
      before = salts(server, "eve");
    }
    String text = Files.readString(users.path());
    assertTrue(text.endsWith("# my users\n" + lines + "\n"), text);
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(users.path())));
    try (PlayedServer server = new PlayedServer(folder, true, null)) {
      assertEquals(before, salts(server, "eve"));
      server.caller().login("ada", "pass", "PLAIN");
    }
  }

  @Test
  void iterations_ofUsersThereAreNot_areThoseOfMostUsers() throws Exception {
    Users users = new Users(folder, "default");
    users.create("ada", "pass", List.of());
    users.create("bob", "pass", List.of());
    users.create("cyd", "pass", List.of());
    String text = Files.readString(users.path());
    String older = text.replaceAll("(ada|bob)=(.*)", "$1=$2").replace("\\:16384\\:", "\\:10000\\:");
    Files.writeString(
        users.path(),
        older.replaceAll(
            "(?m)^(cyd=.*)\\\\:10000\\\\:(.*)\\\\:10000", "$1\\\\:16384\\\\:$2\\\\:16384"));
    try (PlayedServer server = new PlayedServer(folder, true, null)) {
      for (String hash : HASHES) {
        assertEquals("10000", first(server, hash, "ada").get("i"));
        assertEquals("10000", first(server, hash, "eve").get("i"), hash);
      }
    }
  }
}
