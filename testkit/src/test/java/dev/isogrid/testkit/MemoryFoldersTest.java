package dev.isogrid.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryFoldersTest {
  /** Above all numbers that Linux gives to processes. */
  private static final long NO_PROCESS = 1L << 40;

  @TempDir private Path folder;

  @Test
  void folderOfATest_isMadeHere() {
    assertTrue(folder.getFileName().toString().startsWith("isogrid-test-"), folder::toString);
  }

  @Test
  void folders_areEmpty_andEachMadeOnce() throws Exception {
    Path one = MemoryFolders.create();
    Path other = MemoryFolders.create();
    try (Stream<Path> files = Files.list(one)) {
      assertNotEquals(one, other);
      assertEquals(0, files.count());
    } finally {
      Files.delete(one);
      Files.delete(other);
    }
  }

  @Test
  void leftovers_ofProcessesThatEnded_areDeleted() throws Exception {
    Path left = folder.resolve("isogrid-test-" + NO_PROCESS + "-1");
    Files.createDirectories(left.resolve("a/b"));
    Files.writeString(left.resolve("a/b/file"), "text");
    Path living = folder.resolve("isogrid-test-" + ProcessHandle.current().pid() + "-1");
    Path foreign = folder.resolve("other-" + NO_PROCESS + "-1");
    Files.createDirectories(living.resolve("a"));
    Files.createDirectories(foreign);
    MemoryFolders.deleteLeftovers(folder);
    assertFalse(Files.exists(left));
    assertTrue(Files.exists(living.resolve("a")));
    assertTrue(Files.exists(foreign));
  }

  @Test
  void fileSystem_thatStartsNoPrograms_isKnown() {
    List<String> mounts =
        List.of(
            "/dev/vda / ext4 rw,noexec 0 0",
            "tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0",
            "tmpfs /run tmpfs rw,nosuid,noexec,relatime 0 0");
    assertFalse(MemoryFolders.isNoExec(mounts, Path.of("/dev/shm")));
    assertTrue(MemoryFolders.isNoExec(mounts, Path.of("/run")));
  }
}
