package dev.isogrid.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.FailingDisk.Step;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReplacedFileTest {
  @TempDir private Path folder;
  private final FailingDisk disk = new FailingDisk();
  private ReplacedFile file = new ReplacedFile(Path.of("none"), disk);

  @BeforeEach
  void create() {
    file = new ReplacedFile(folder.resolve("f"), disk);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private List<String> names() throws IOException {
    try (var paths = Files.list(folder)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void write_replacesTheContent_andForcesTheFolder() throws IOException {
    file.write(bytes("first, longer"));
    assertEquals(1, disk.foldersForced());
    file.write(bytes("second"));
    assertEquals(2, disk.foldersForced());
    assertEquals("second", Files.readString(file.path()));
    assertEquals(List.of("f"), names());
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "FORCE", "MOVE"})
  void write_thatFails_leavesTheFormerContentAndNoDraft(Step step) throws IOException {
    file.write(bytes("former"));
    disk.fail(step);
    IOException failure = assertThrows(IOException.class, () -> file.write(bytes("next")));
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("file=" + file.path()), message);
    assertTrue(message.contains("No space left"), message);
    assertEquals("former", Files.readString(file.path()));
    assertEquals(List.of("f"), names());
    disk.mend();
    file.write(bytes("next"));
    assertEquals("next", Files.readString(file.path()));
  }

  @Test
  void write_onADiskThatTakesFewBytesAtOnce_keepsAllInOrder() throws IOException {
    disk.takeAtOnce(3);
    file.write(bytes("a content of many bytes"));
    assertEquals("a content of many bytes", Files.readString(file.path()));
  }

  @Test
  void folder_thatCantBeForced_isAFailure() throws IOException {
    disk.fail(Step.FORCE_FOLDER);
    assertThrows(IOException.class, () -> file.write(bytes("next")));
    assertEquals(List.of("f"), names());
    assertThrows(IOException.class, file::delete);
  }

  @Test
  void draft_ofAKilledProcess_isWrittenOver() throws IOException {
    Files.writeString(folder.resolve("f.draft"), "a long text that nobody needs any more");
    file.write(bytes("short"));
    assertEquals("short", Files.readString(file.path()));
    assertEquals(List.of("f"), names());
  }

  @Test
  void draft_thatIsClosed_leavesNothing() throws IOException {
    file.draft(bytes("next")).close();
    assertEquals(List.of(), names());
    file.probe(1000);
    assertEquals(List.of(), names());
    disk.fail(Step.WRITE);
    assertThrows(IOException.class, () -> file.probe(1000));
    assertEquals(List.of(), names());
  }

  @Test
  void delete_forcesTheFolder_ifThereWasAFile() throws IOException {
    assertFalse(file.delete());
    file.write(bytes("x"));
    assertTrue(file.delete());
    assertEquals(2, disk.foldersForced());
    assertEquals(List.of(), names());
  }
}
