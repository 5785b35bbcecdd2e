package dev.isogrid.mapreduce;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.isogrid.api.Combiner;
import dev.isogrid.api.LongCombiner;
import dev.isogrid.base.Seeds;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A table of texts against a map of strings. */
class TextTableTest {
  private static final Combiner<Long> OBJECTS = Long::sum;

  @Test
  void table_ofRandomTexts_holdsWhatAMapDoes() {
    Seeds.run(30, TextTableTest::fillAndCompare);
  }

  @SuppressWarnings("unchecked") // values are numbers
  private static void fillAndCompare(Random random) throws Exception {
    Combiner<Long> combiner = random.nextBoolean() ? LongCombiner.SUM : OBJECTS;
    TextTable table = new TextTable((Combiner<Object>) (Combiner<?>) combiner);
    for (int round = 0; round < 2; round++) {
      Map<String, Long> expected = new HashMap<>();
      int lengthMax = 1 + random.nextInt(40);
      int letters = 1 + random.nextInt(3);
      for (int i = random.nextInt(5000); i > 0; i--) {
        StringBuilder text = new StringBuilder("--");
        for (int rest = random.nextInt(lengthMax); rest > 0; rest--) {
          text.append((char) ('a' + random.nextInt(letters)));
        }
        int length = text.length() - 2;
        int behind = random.nextInt(20); // of which nothing must count
        for (int more = behind; more > 0; more--) {
          text.append((char) ('a' + random.nextInt(26)));
        }
        byte[] utf8 = text.toString().getBytes(UTF_8);
        long value = random.nextLong();
        table.add(utf8, 2, length, value);
        expected.merge(new String(utf8, 2, length, UTF_8), value, Long::sum);
      }
      assertEquals(expected.size(), table.size());
      Map<String, Object> found = new HashMap<>();
      table.forEach((utf8, offset, length, value) ->
          assertNull(found.put(new String(utf8, offset, length, UTF_8), value)));
      assertEquals(expected, found);
      table.clear();
      assertEquals(0, table.size());
      assertEquals(0, table.memoryBytes());
    }
  }

  @Test
  @SuppressWarnings("unchecked") // values are numbers
  void table_withoutTexts_takesHardlyAnyMemory() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = 0;
    for (int i = 0; i < 10; i++) { // the first ones load classes
      long before = threads.getCurrentThreadAllocatedBytes();
      TextTable table = new TextTable((Combiner<Object>) (Combiner<?>) OBJECTS);
      bytes = threads.getCurrentThreadAllocatedBytes() - before;
      assertEquals(0, table.size());
    }
    assertTrue(bytes < 1000, "bytes=" + bytes);
  }

  @Test
  @SuppressWarnings("unchecked") // values are numbers
  void add_ofTextsOfOneHash_tellsThemApart() throws Exception {
    TextTable table = new TextTable((Combiner<Object>) (Combiner<?>) OBJECTS);
    for (long first = 0; first < 3; first++) {
      ByteBuffer text = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      text.putLong(first).putLong(mixed(text.capacity() ^ first));
      table.add(text.array(), 0, text.capacity(), first);
      table.add(text.array(), 0, text.capacity(), 10L);
    }
    Map<Long, Object> found = new HashMap<>();
    table.forEach((bytes, offset, length, value) -> {
      ByteBuffer text = ByteBuffer.wrap(bytes, offset, length).order(ByteOrder.LITTLE_ENDIAN);
      found.put(text.getLong(), value);
    });
    assertEquals(Map.of(0L, 10L, 1L, 11L, 2L, 12L), found);
  }

  /** The table's mix of the first eight bytes, which this class inverts. */
  private static long mixed(long word) {
    long product = word * 0x9E3779B97F4A7C15L;
    return product ^ (product >>> Integer.SIZE);
  }
}
