package dev.isogrid.server.rest;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.FailingDisk;
import dev.isogrid.server.backup.BackupDesk;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncomingFileTest {
  @TempDir private Path folder;

  private final FailingDisk disk = new FailingDisk();
  private TestServer server;
  private BackupDesk desk;

  @BeforeEach
  void begin() {
    server = new TestServer(folder);
    desk = new BackupDesk(server.context(), disk);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static void add(IncomingFile file, String text) {
    ByteBuf piece = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    file.add(piece);
    assertEquals(0, piece.refCnt());
  }

  @Test
  void add_afterAFailure_skipsTheRestAndDeletesTheFile() throws IOException {
    BackupDesk.Upload upload = desk.upload("r");
    Path draft = upload.file().draft();
    IncomingFile file = new IncomingFile(upload);
    add(file, "one");
    assertNull(file.failure());
    assertEquals("one", Files.readString(draft));
    disk.fail(FailingDisk.Step.WRITE);
    add(file, "two");
    String failure = requireNonNull(file.failure());
    assertTrue(failure.contains("No space left on device"), failure);
    assertTrue(failure.contains("writtenBytes=3"), failure);
    assertTrue(failure.contains("disk of the server's data folder"), failure);
    assertFalse(failure.contains(".part"), failure);
    assertFalse(failure.contains(folder.toString()), failure);
    assertTrue(Files.notExists(draft));
    disk.mend();
    add(file, "three");
    assertEquals(failure, file.failure());
    assertTrue(Files.notExists(draft));
  }

  @Test
  void drop_afterAFailure_leavesALaterFileOfTheSameName() throws IOException {
    IncomingFile file = new IncomingFile(desk.upload("r"));
    disk.fail(FailingDisk.Step.WRITE);
    add(file, "one");
    disk.mend();
    try (BackupDesk.Upload later = desk.upload("r")) {
      file.drop();
      assertTrue(Files.exists(later.file().draft()));
    }
  }
}
