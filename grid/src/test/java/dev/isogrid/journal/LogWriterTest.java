package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LogWriterTest {
  private static final int KEY_BYTES = 100;

  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final LogWriter writer =
      new LogWriter(
          disk,
          new JournalScope("c", "bytes", 1),
          new UUID(1, 2),
          1,
          10_000,
          new ArrayDeque<>(),
          0,
          0,
          true);
  private long sequence;

  private void add() {
    byte[] record = JournalLayout.newRemove(0, 1, KEY_BYTES);
    JournalLayout.complete(record, ++sequence);
    writer.add(record);
  }

  /** The places of records that readers learn since the last call. */
  private List<Long> told() {
    List<Long> places = new ArrayList<>();
    writer.tell(
        new LiveEntries() {
          @Override
          public long carry(JournalRecord record) {
            return 0;
          }

          @Override
          public void written(JournalRecord record) {
            places.add(record.place());
          }
        });
    return places;
  }

  @Test
  void recordsThatAreWrittenAgain_stayAtTheirPlaces_howeverSmallFilesAreByThen()
      throws IOException {
    writer.begin();
    for (int i = 0; i < 5; i++) {
      add();
    }
    writer.write();
    List<Long> places = told();
    assertEquals(5, places.size());
    disk.failAt(1);
    assertThrows(IOException.class, writer::force);
    disk.failAt(0);

    writer.fileBytesMax(3 * KEY_BYTES);
    add();
    writer.write();
    List<Long> again = told();
    assertEquals(places, again.subList(0, 5));
    assertEquals(2, disk.names().size());
    assertTrue(again.getLast() > places.getLast());
    assertEquals(1, writer.complete().size());
  }

  private byte[] content(long number) {
    return disk.content(JournalLayout.fileName(number));
  }

  private void writeAndForce() throws IOException {
    add();
    writer.write();
    writer.force();
  }

  /** A force that changes no size and no place is a third quicker. */
  @Test
  void force_whereSpaceIsReserved_leavesTheSizeAndFillsTheSpaceUntilTheFileIsSealed()
      throws IOException {
    writer.begin();
    writer.reserve();
    writeAndForce();
    int length = content(1).length;
    assertEquals(10_000, length);

    while (writer.complete().isEmpty()) {
      assertEquals(length, content(1).length);
      writeAndForce();
    }
    assertEquals(writer.complete().getFirst().bytes(), content(1).length);
    assertEquals(10_000, content(2).length);
    writer.close();
    assertTrue(content(2).length < 1_000, () -> "" + content(2).length);
  }

  @Test
  void force_onADiskThatHasRoomForTheRecordsOnly_succeeds() throws IOException {
    writer.begin();
    writer.reserve();
    disk.limit(disk.bytes() + 1_000);
    writeAndForce();
    writeAndForce();

    assertEquals(0, writer.unforcedBytes());
    writer.close();
    assertTrue(content(1).length < 1_000, () -> "" + content(1).length);
  }
}
