package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.server.FailingDisk;
import dev.isogrid.server.FailingDisk.Step;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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

  private void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void permissionsForOthers_areNoticed() throws IOException {
    UserFile users = new UserFile(folder);
    assertFalse(users.isReadableByOthers(), "there is no file");
    add("ada");
    assertFalse(users.isReadableByOthers());
    permit(users.path(), "rw-r-----");
    assertFalse(users.isReadableByOthers());
    permit(users.path(), "rw-r--r--");
    assertTrue(users.isReadableByOthers());
    permit(folder, "rwxr-xr-x");
    assertFalse(users.isFolderOpen());
    permit(folder, "rwxrwxrwx");
    assertTrue(users.isFolderOpen());
    assertFalse(new UserFile(folder.resolve("none")).isFolderOpen(), "there is no folder");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void addSecret_keepsThePermissionsOfTheFile() throws IOException {
    add("ada");
    UserFile users = new UserFile(folder);
    String withoutSecret =
        Files.readString(users.path())
            .lines()
            .filter(line -> !line.contains(String.valueOf(users.content().secret())))
            .collect(Collectors.joining("\n", "", "\n"));
    Files.writeString(users.path(), withoutSecret);
    permit(users.path(), "rw-r-----");
    assertNull(users.content().secret());
    users.addSecret();
    assertNotNull(users.content().secret());
    assertEquals(Set.of("ada"), names());
    assertEquals(
        "rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(users.path())));
  }

  @Test
  void change_toMoreUsersThanAllowed_isRefused() {
    UserFile file = new UserFile(folder, disk);
    file.change(users -> {
      for (int i = 0; i < UserFile.USERS_MAX; i++) {
        users.put("u" + i, User.withoutPassword("u" + i, List.of()));
      }
      return users;
    });
    FatalGridException refused = assertThrows(FatalGridException.class, () -> add("ada"));
    assertTrue(refused.toString().contains("too many users"), refused::toString);
    assertEquals(UserFile.USERS_MAX, names().size());
  }

  @Test
  void file_thatIsTooLarge_isRefusedUnread() throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            folder.resolve("users.properties"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[1]), UserFile.SIZE_MAX); // the rest is a hole
    }
    FatalGridException refused = assertThrows(FatalGridException.class, this::names);
    assertTrue(refused.toString().contains("larger than"), refused::toString);
  }
}
