package dev.isogrid.server.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.server.FailingDisk;
import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class BackupDeskTest {
  @TempDir Path folder;
  private final FailingDisk disk = new FailingDisk();
  private BackupServer server;

  @BeforeEach
  void start() {
    server = new BackupServer(folder);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static void awaitEnd(BackupDesk desk, String name) {
    Await.until("the end of a backup", () -> desk.backup(name).state() != BackupDesk.State.RUNNING);
  }

  @ParameterizedTest
  @EnumSource(
      value = FailingDisk.Step.class,
      names = {"CREATE", "WRITE", "FORCE", "MOVE"})
  void create_onDiskThatFails_saysWhyAndLeavesNothing(FailingDisk.Step step) throws IOException {
    server.fill(1000);
    BackupDesk desk = new BackupDesk(server.context(), disk);
    disk.fail(step);
    assertTrue(desk.create("a", BackupSelection.all()));
    awaitEnd(desk, "a");
    BackupDesk.Status status = desk.backup("a");
    assertEquals(BackupDesk.State.FAILED, status.state());
    assertTrue(status.text().contains("No space left on device (" + step), status::text);
    assertTrue(status.text().contains("make room"), status::text);
    try (Stream<Path> files = Files.list(folder.resolve("backups"))) {
      assertEquals(0, files.count());
    }
    disk.mend();
    assertTrue(desk.create("a", BackupSelection.all()));
    awaitEnd(desk, "a");
    assertEquals(BackupDesk.State.DONE, desk.backup("a").state());
  }

  private static List<CacheConfig> withOwnStores() {
    CacheConfig.Builder usual = CacheConfig.builder().storage(StorageType.OFF_HEAP);
    return List.of(
        usual.store(StoreConfig.named("com.acme.Anything").build()).build(),
        usual.store(null).fileStore(FileStore.builder().path("/else").build()).build());
  }

  /** An archive is what a client sends: it names no class, database or folder. */
  @ParameterizedTest
  @MethodSource("withOwnStores")
  void restore_ofATemplateWithAStoreOfItsOwn_isRefused(CacheConfig config) throws IOException {
    Path elsewhere = folder.resolve("other");
    Files.createDirectories(elsewhere.resolve("backups"));
    try (BackupServer other = new BackupServer(elsewhere)) {
      other.context().catalog().templates().create("t", config, false);
      BackupDesk from = new BackupDesk(other.context());
      assertTrue(from.create("a", BackupSelection.all()));
      awaitEnd(from, "a");
      Files.createDirectories(folder.resolve("backups"));
      Files.copy(from.archive("a"), folder.resolve("backups").resolve("a.zip"));
    }
    BackupDesk desk = new BackupDesk(server.context());
    desk.restore("r", "a", BackupSelection.all());
    Await.until("the end", () -> desk.restore("r").state() != BackupDesk.State.RUNNING);
    assertEquals(BackupDesk.State.FAILED, desk.restore("r").state());
    assertTrue(desk.restore("r").text().contains("configuration file"), desk.restore("r")::text);
    assertFalse(server.context().catalog().templates().all().containsKey("t"));
  }

  @Test
  void start_deletesWhatIsHalfWritten() throws IOException {
    Path backups = Files.createDirectories(folder.resolve("backups"));
    Path whole = Files.writeString(backups.resolve("whole.zip"), "x");
    Path draft = Files.writeString(backups.resolve("half.zip.part"), "x");
    Path upload = Files.writeString(backups.resolve(".upload-r.zip"), "x");
    BackupDesk desk = new BackupDesk(server.context(), disk);
    assertTrue(Files.exists(whole));
    assertTrue(Files.notExists(draft));
    assertTrue(Files.notExists(upload));
    assertEquals("[whole]", desk.names().toString());
  }
}
