package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RecordQueueTest {
  private final RecordQueue queue = new RecordQueue();
  private final List<Taken> taken = new ArrayList<>();

  /** A record as it was taken. */
  private record Taken(int segment, long version, int length, long replaced, long growth) {}

  /** A removal, which has nothing but a segment, a version and a length. */
  private static byte[] record(int segment, long version, int length) {
    return JournalLayout.newRemove(segment, version, length - JournalLayout.REMOVE_KEY);
  }

  private long take() {
    long end = queue.end();
    queue.take((records, from, to) -> {
      for (int at = from; at < to; at = records.behind(at)) {
        taken.add(
            new Taken(
                records.segment(at),
                records.version(at),
                records.length(at),
                records.replaced(at),
                records.growth(at)));
      }
    });
    return end;
  }

  @Test
  void append_recordsOfAnySize_areTakenInOrderWithTheirPositions() {
    int[] lengths = {32, 4_096, 50, 200_000, 300_000, 33, 131_072, 131_000, 40};
    long position = 0;
    List<Taken> expected = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      int length = lengths[i % lengths.length];
      position += length;
      assertEquals(position, queue.append(record(i, 7 + i, length), i, -i));
      assertEquals(position, queue.appended());
      assertTrue(queue.appendedAbout() <= position);
      expected.add(new Taken(i, 7 + i, length, i, -i));
      if (i % 3 == 0) {
        assertEquals(position, take());
        queue.forced(position);
      }
    }
    assertEquals(position, take());
    assertEquals(expected, taken);
  }

  @Test
  void append_twoRecords_areTakenTogetherAlsoAtTheEndOfABuffer() {
    for (int i = 0; i < 100; i++) {
      queue.append(record(1, i, 100), record(2, i, 1_950), 5);
      take();
      assertEquals(2 * i + 2, taken.size());
      assertEquals(new Taken(1, i, 100, 0, 5), taken.get(2 * i));
      assertEquals(new Taken(2, i, 1_950, 0, 0), taken.get(2 * i + 1));
    }
  }

  @Test
  void take_aLargeRecord_doesNotCopyIt() {
    byte[] large = record(0, 1, 1 << 20);
    queue.append(record(0, 1, 100), 0, 0);
    queue.append(large, 0, 0);
    List<byte[]> arrays = new ArrayList<>();
    queue.end();
    queue.take((records, from, _) -> {
      JournalRecord window = new JournalRecord();
      records.point(window, from);
      arrays.add(window.array());
    });
    assertSame(large, arrays.getLast());
  }

  @Test
  void append_toAClosedQueue_isRefusedAndWhatWasThereIsTaken() {
    queue.append(record(0, 1, 100), 0, 0);
    queue.close();
    assertEquals(-1, queue.append(record(0, 2, 100), 0, 0));
    assertEquals(-1, queue.append(record(0, 2, 1 << 20), 0, 0));
    assertEquals(-1, queue.append(record(0, 2, 100), record(0, 3, 100), 0));
    assertEquals(100, take());
    assertEquals(1, taken.size());
  }

  @Test
  void append_byThreadsWhileAnotherTakes_losesNothingAndKeepsTheOrderOfEach()
      throws InterruptedException {
    int count = 30_000;
    int writers = 3;
    CountDownLatch ended = new CountDownLatch(writers);
    for (int writer = 0; writer < writers; writer++) {
      int segment = writer;
      Thread.startVirtualThread(() -> {
        for (int i = 1; i <= count; i++) {
          queue.append(record(segment, i, 40 + i % 500), i, segment);
        }
        ended.countDown();
      });
    }
    long end = 0;
    while (ended.getCount() > 0) {
      end = take();
      queue.forced(end);
    }
    end = take();
    long[] last = new long[writers];
    long bytes = 0;
    for (Taken each : taken) {
      assertEquals(++last[each.segment()], each.version());
      assertEquals(each.version(), each.replaced());
      assertEquals(each.segment(), each.growth());
      assertEquals(40 + each.version() % 500, each.length());
      bytes += each.length();
    }
    assertEquals(writers * count, taken.size());
    assertEquals(bytes, end);
  }

  @Test
  void copyTo_partsOfARecord_givesItsBytes() {
    byte[] record = record(3, 4, 100);
    record[60] = 9;
    RecordBuffer buffer = new RecordBuffer(0, 200);
    int _ = buffer.put((int) buffer.tryReserve(100, RecordBuffer.sizeOf(100)), record, 0, 0);
    ByteBuffer target = ByteBuffer.allocate(100);
    buffer.copyTo(target, 0, 0, 50);
    buffer.copyTo(target, 0, 50, 50);
    assertEquals(ByteBuffer.wrap(record), target.flip());
  }
}
