package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsersTest {
  @TempDir private Path folder;
  private Users users;

  @BeforeEach
  void open() {
    users = new Users(folder.resolve("conf"), "default");
  }

  @Test
  void create_ofUser_keepsHashesOnlyForItsOwner() throws Exception {
    users.create("ada", "very secret", List.of("admin"));
    String text = Files.readString(users.path());
    assertFalse(text.contains("secret"));
    for (String mechanism : List.of("SCRAM", "DIGEST")) {
      for (String hash : List.of("256", "384", "512")) {
        assertTrue(text.contains(mechanism + "-SHA-" + hash), text);
      }
    }
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(users.path())));
    User read = Objects.requireNonNull(new UserFile(folder.resolve("conf")).read().get("ada"));
    assertTrue(read.hasPassword("very secret"));
    assertFalse(read.hasPassword("Very secret"));
    assertNotNull(read.digest(Hash.SHA_256, "default"));
    assertEquals(null, read.digest(Hash.SHA_256, "other"));
  }

  @Test
  void changes_ofUsers_areKept() {
    users.create("ada", "p", List.of());
    users.create("bob@example.org", null, List.of("observer"));
    users.grant("ada", List.of("application", "admin"));
    users.revoke("ada", List.of("admin"));
    users.password("ada", "q");
    assertEquals(
        Map.of("ada", Set.of("application"), "bob@example.org", Set.of("observer")), users.roles());
    assertTrue(users.hasPassword("ada"));
    assertFalse(users.hasPassword("bob@example.org"));
    users.remove("ada");
    assertEquals(Set.of("bob@example.org"), users.roles().keySet());
  }

  @Test
  void changes_thatCannotBe_areRefused() {
    users.create("ada", "p", List.of());
    assertThrows(InvalidRequestException.class, () -> users.create("ada", "q", List.of()));
    assertThrows(InvalidRequestException.class, () -> users.remove("eve"));
    assertThrows(InvalidRequestException.class, () -> users.revoke("ada", List.of("admin")));
    assertThrows(InvalidRequestException.class, () -> users.create("a b", "q", List.of()));
    assertThrows(InvalidRequestException.class, () -> users.create("", "q", List.of()));
    assertThrows(InvalidRequestException.class, () -> users.create("eve", "", List.of()));
    assertThrows(InvalidRequestException.class, () -> users.grant("ada", List.of("a;b")));
    assertEquals(Map.of("ada", Set.of()), users.roles());
  }

  @Test
  void read_ofBrokenFile_namesIt() throws Exception {
    users.create("ada", "p", List.of());
    Files.writeString(users.path(), "ada=SCRAM-SHA-256:x\n");
    FatalGridException failure = assertThrows(FatalGridException.class, users::roles);
    assertTrue(String.valueOf(failure.getMessage()).contains("users.properties"));
    assertTrue(String.valueOf(failure.getMessage()).contains("user=ada"));
  }
}
