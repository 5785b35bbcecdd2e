package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredRecordsTest {
  @TempDir private Path folder;

  /** Writes an entry, and returns where it is. */
  private long written(Disk disk, StoredRecords records) throws IOException {
    JournaledMap map = new JournaledMap(disk, Fsync.EACH, 1 << 20);
    map.put("key", "value", EntryAttributes.NONE);
    map.work();
    List<Long> places = new ArrayList<>();
    boolean isWhole =
        records.readAll(
            1,
            record -> {
              records.noteFile(record);
              places.add(record.place());
            });
    assertTrue(isWhole);
    return places.getFirst();
  }

  @Test
  void read_ofAnInterruptedThread_readsAndStaysInterrupted() throws IOException {
    try (FolderDisk disk = FolderDisk.open(folder);
        StoredRecords records = new StoredRecords(disk, JournaledMap.SEGMENTS)) {
      long place = written(disk, records);
      assertEquals("value", text(read(records, place)));
      Thread.currentThread().interrupt();
      String found = text(read(records, place));
      assertTrue(Thread.interrupted());
      assertEquals("value", found);
      assertEquals("value", text(read(records, place))); // its file was not closed for all
    }
  }

  private static JournalRecord read(StoredRecords records, long place) throws IOException {
    return Objects.requireNonNull(records.read(place));
  }

  private static String text(JournalRecord record) {
    return new String(record.value(), StandardCharsets.UTF_8);
  }
}
