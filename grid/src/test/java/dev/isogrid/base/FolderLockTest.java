package dev.isogrid.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {
  @TempDir private Path folder;

  /** Takes a folder in a process of its own, and prints how that ended. */
  static final class OtherProcess {
    private OtherProcess() {}

    /** Takes the folder that is the only argument. */
    public static void main(String[] arguments) throws IOException {
      try (FolderLock _ = FolderLock.take(Path.of(arguments[0]))) {
        System.out.print("taken");
      } catch (FolderLock.InUseException inUse) {
        System.out.print(inUse.getMessage());
      }
    }
  }

  private String takenElsewhere() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    OtherProcess.class.getName(),
                    folder.toString()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  private static String refusal(Path folder) {
    return String.valueOf(
        assertThrows(FolderLock.InUseException.class, () -> FolderLock.take(folder)).getMessage());
  }

  @Test
  void secondUser_inThisProcess_isRefused_andTheFirstKeepsItsLock() throws Exception {
    Path link = folder.resolveSibling(folder.getFileName() + "-link");
    Files.createSymbolicLink(link, folder);
    try (FolderLock _ = FolderLock.take(folder)) {
      assertTrue(refusal(folder).contains("by this process already: folder=" + folder));
      assertTrue(refusal(link).contains("by this process already: folder=" + link));
      assertTrue(takenElsewhere().contains("by another process: folder=" + folder));
    } finally {
      Files.delete(link);
    }
    assertEquals("taken", takenElsewhere());
  }

  @Test
  void closedTwice_doesNotEndTheLockOfTheNext() throws Exception {
    FolderLock first = FolderLock.take(folder);
    first.close();
    try (FolderLock _ = FolderLock.take(folder)) {
      first.close();
      assertTrue(refusal(folder).contains("by this process already"));
    }
  }

  @Test
  void folderThatCantBeLocked_mayBeTakenLater() throws Exception {
    Path inTheWay = Files.createDirectory(folder.resolve(FolderLock.FILE_NAME));
    assertThrows(IOException.class, () -> FolderLock.take(folder));
    Files.delete(inTheWay);
    FolderLock.take(folder).close();
  }
}
