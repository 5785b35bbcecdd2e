package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredFilesTest {
  private static final long FILE_BYTES = 2000;

  @TempDir private Path folder;

  private static void close(JournaledMap map) {
    Thread closing = Thread.ofVirtual().start(map.journal()::close);
    while (closing.isAlive()) {
      map.work();
      Thread.onSpinWait();
    }
  }

  private String export() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long _ = new StoredFiles(folder).export(new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8).strip();
  }

  @Test
  void export_afterManyChanges_hasTheLastOneOfEachKey() throws IOException {
    JournaledMap map = new JournaledMap(FolderDisk.open(folder), Fsync.EACH, FILE_BYTES);
    for (int i = 0; i < 200; i++) {
      map.put("key-" + i % 40, "v" + i, EntryAttributes.NONE);
      if (i % 7 == 0) {
        map.remove("key-" + i % 30);
      }
      if (i == 190) {
        map.clear(1);
      }
      map.work();
    }
    Set<String> expected = new TreeSet<>();
    map.entries()
        .forEach((key, entry) ->
            expected.add(
                "{\"key\":\"%s\",\"value\":\"%s\",\"version\":%d}"
                    .formatted(base64(key), base64(entry.value()), entry.version())));
    close(map);

    assertTrue(expected.size() > 20, expected::toString);
    assertEquals(expected, new TreeSet<>(export().lines().toList()));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void export_ofAnEntry_hasAllThatWasStoredWithIt() throws IOException {
    JournaledMap map = new JournaledMap(FolderDisk.open(folder), Fsync.EACH, FILE_BYTES);
    map.put("k", "v", new EntryAttributes(1_000, 2_000, -1, 0xFFFF_FFFE, "text/plain"));
    long version = map.entries().values().iterator().next().version();
    close(map);

    assertEquals(
        """
        {"key":"aw==","value":"dg==","version":%d,"created":1000,"lifespan":2000,"max-idle":-1,\
        "client-flags":4294967294,"media-type":"text/plain"}\
        """
            .formatted(version),
        export());
  }

  @Test
  void repair_ofTheFilesOfAKilledProcess_losesNothing() throws IOException {
    JournaledMap map = new JournaledMap(FolderDisk.open(folder), Fsync.EACH, 1 << 20);
    map.put("k", "v", EntryAttributes.NONE);
    map.work();
    String name = JournalLayout.fileName(1);
    Path killed = Files.createDirectory(folder.resolve("killed"));
    Files.copy(folder.resolve(name), killed.resolve(name));
    close(map);

    StoredFiles.Repaired repaired = new StoredFiles(killed).repair();
    assertEquals(1, repaired.records());
    assertEquals(0, repaired.lostBytes());
  }
}
