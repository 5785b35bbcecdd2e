package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.server.FailingDisk;
import dev.isogrid.server.FailingDisk.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UserFileTest {
  @TempDir private Path folder;
  private final FailingDisk disk = new FailingDisk();

  private void add(String name) {
    new UserFile(folder, disk)
        .change(users -> {
          users.put(name, User.withoutPassword(name, List.of("admin")));
          return users;
        });
  }

  private Set<String> names() {
    return new UserFile(folder).read().keySet();
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "FORCE", "MOVE"})
  void change_onAFullDisk_isRefused_andLeavesTheFormerUsers(Step step) {
    add("ada");
    disk.fail(step);
    FatalGridException refused = assertThrows(FatalGridException.class, () -> add("bob"));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("users.properties") && message.contains("No space left"), message);
    assertEquals(Set.of("ada"), names());
    assertFalse(Files.exists(folder.resolve("users.properties.draft")));
    disk.mend();
    add("bob");
    assertEquals(Set.of("ada", "bob"), names());
  }

  @Test
  void folder_thatCantBeForced_isAFailure() {
    disk.fail(Step.FORCE_FOLDER);
    assertThrows(FatalGridException.class, () -> add("ada"));
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void file_belongsToItsOwnerOnly_evenAfterAKilledChange() throws IOException {
    Files.writeString(folder.resolve("users.properties.draft"), "left by another process");
    add("ada");
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(folder.resolve("users.properties"))));
  }
}
