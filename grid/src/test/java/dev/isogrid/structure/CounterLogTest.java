package dev.isogrid.structure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.FailingDisk;
import dev.isogrid.base.FailingDisk.Step;
import dev.isogrid.base.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file of counters, after accidents. */
class CounterLogTest {
  private static final CounterConfig CONFIG =
      CounterConfig.strong(0).withStorage(CounterConfig.Storage.PERSISTENT);
  private static final int MAGIC_BYTES = 19;
  private static final int RECORD_BYTES = 2 * Integer.BYTES + 2 + 1 + CounterBucket.STATE_BYTES;

  @TempDir private Path folder;
  private final FailingDisk disk = new FailingDisk();

  private Path file() {
    return folder.resolve("counters.log");
  }

  private CounterLog open() {
    return CounterLog.open(file(), disk);
  }

  private static CounterState state(long value) {
    return CounterState.of(CONFIG).plus(value);
  }

  private static Map<String, @Nullable CounterState> change(
      String name, @Nullable CounterState state) {
    Map<String, @Nullable CounterState> change = new HashMap<>();
    change.put(name, state);
    return change;
  }

  private Map<String, Long> values() {
    try (CounterLog log = open()) {
      Map<String, Long> values = new TreeMap<>();
      log.counters().forEach((name, state) -> values.put(name, state.value()));
      return values;
    }
  }

  private List<String> names() throws IOException {
    try (var paths = Files.list(folder)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  /** Writes counters a, b, c, ... in this order, each in a record of its own. */
  private byte[] written(int count) throws IOException {
    try (CounterLog log = open()) {
      for (int i = 0; i < count; i++) {
        log.append(change(Character.toString('a' + i), state(i)));
      }
    }
    byte[] bytes = Files.readAllBytes(file());
    assertEquals(MAGIC_BYTES + count * RECORD_BYTES, bytes.length);
    return bytes;
  }

  @Test
  void wrongByteInTheMiddle_losesItsRecordOnly_andKeepsTheFileAside() throws IOException {
    byte[] bytes = written(4);
    bytes[MAGIC_BYTES + RECORD_BYTES + RECORD_BYTES - 1] ^= 1; // in the state of b
    Files.write(file(), bytes);
    assertEquals(Map.of("a", 0L, "c", 2L, "d", 3L), values());
    assertEquals(List.of("counters.log", "counters.log.damaged-1"), names());
    assertArrayEquals(bytes, Files.readAllBytes(folder.resolve("counters.log.damaged-1")));
    assertEquals(Map.of("a", 0L, "c", 2L, "d", 3L), values());
    assertEquals(2, names().size());
    Files.write(file(), bytes);
    values();
    assertEquals(2, names().size());
    bytes[MAGIC_BYTES + 3 * RECORD_BYTES - 1] ^= 1;
    Files.write(file(), bytes);
    assertEquals(Map.of("a", 0L, "d", 3L), values());
    assertTrue(names().contains("counters.log.damaged-2"));
  }

  @Test
  void wrongLength_isNoReasonToLoseWhatFollows() throws IOException {
    for (int length : new int[] {0, 1, -1, 60, 65_000, Integer.MAX_VALUE}) {
      byte[] bytes = written(3);
      ByteBuffer.wrap(bytes).putInt(MAGIC_BYTES + RECORD_BYTES, length);
      Files.write(file(), bytes);
      assertEquals(Map.of("a", 0L, "c", 2L), values(), () -> "length " + length);
      Files.delete(file());
    }
    assertEquals(6, names().size());
  }

  @Test
  void incompleteLastRecord_isCutQuietly() throws IOException {
    byte[] bytes = written(3);
    for (int cut = 1; cut < RECORD_BYTES; cut++) {
      Files.write(file(), Arrays.copyOf(bytes, bytes.length - cut));
      assertEquals(Map.of("a", 0L, "b", 1L), values());
    }
    byte[] zeros = Arrays.copyOf(Arrays.copyOf(bytes, bytes.length - RECORD_BYTES), 8192);
    Files.write(file(), zeros);
    assertEquals(Map.of("a", 0L, "b", 1L), values());
    assertEquals(List.of("counters.log"), names());
  }

  @Test
  void lastRecordWithAWrongByte_isDamage() throws IOException {
    byte[] bytes = written(2);
    bytes[bytes.length - 1] ^= 1;
    Files.write(file(), bytes);
    assertEquals(Map.of("a", 0L), values());
    assertTrue(names().contains("counters.log.damaged-1"));
  }

  @Test
  void anyDamage_leavesEveryRecordBeforeIt() {
    Seeds.run(
        100,
        random -> {
          Files.deleteIfExists(file());
          byte[] bytes = written(10);
          int at = MAGIC_BYTES + random.nextInt(bytes.length - MAGIC_BYTES);
          int end = Math.min(bytes.length, at + 1 + random.nextInt(100));
          for (int i = at; i < end; i++) {
            bytes[i] = (byte) random.nextInt();
          }
          Files.write(file(), bytes);
          Map<String, Long> values = values();
          for (int i = 0; i < 10; i++) {
            int start = MAGIC_BYTES + i * RECORD_BYTES;
            if (start + RECORD_BYTES <= at || start >= end) {
              assertEquals(i, values.get(Character.toString('a' + i)));
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "FORCE", "MOVE", "FORCE_FOLDER"})
  void open_onAFullDisk_isRefused_andLosesNothing(Step step) throws IOException {
    written(3);
    disk.fail(step);
    InvalidRequestException refused = assertThrows(InvalidRequestException.class, this::open);
    assertTrue(String.valueOf(refused.getMessage()).contains("No space left on device"));
    disk.mend();
    assertEquals(Map.of("a", 0L, "b", 1L, "c", 2L), values());
    assertEquals(List.of("counters.log"), names());
  }

  @Test
  void append_onADiskThatTakesFewBytesAtOnce_keepsAllRecords() {
    disk.takeAtOnce(7);
    try (CounterLog log = open()) {
      log.append(change("a", state(1)));
      log.append(change("b", state(2)));
    }
    assertEquals(Map.of("a", 1L, "b", 2L), values());
  }

  @Test
  void append_onAFullDisk_isRefused_andSucceedsLater() throws IOException {
    written(1);
    try (CounterLog log = open()) {
      disk.fail(Step.WRITE);
      Map<String, @Nullable CounterState> both = change("a", state(7));
      both.put("b", state(8));
      assertThrows(FatalGridException.class, () -> log.append(both));
      assertEquals(MAGIC_BYTES + RECORD_BYTES, Files.size(file()));
      disk.mend();
      log.append(change("a", state(9)));
    }
    assertEquals(Map.of("a", 9L), values());
  }

  @Test
  void force_onADiskThatRefusesIt_isDoneLater() {
    try (CounterLog log = open()) {
      log.append(change("a", state(1)));
      disk.fail(Step.FORCE);
      assertThrows(FatalGridException.class, log::force);
      assertFalse(log.isForced());
      disk.mend();
      log.force();
      assertTrue(log.isForced());
      disk.fail(Step.FORCE);
      log.force(); // has nothing to do
    }
  }

  @Test
  void file_thatTheInterruptOfAThreadClosed_isRewritten() {
    try (CounterLog log = open()) {
      log.append(change("a", state(1)));
      Thread.currentThread().interrupt();
      assertThrows(FatalGridException.class, () -> log.append(change("a", state(2))));
      assertTrue(Thread.interrupted());
      log.force();
      assertTrue(log.isForced());
      log.append(change("b", state(3)));
    }
    assertEquals(Map.of("a", 2L, "b", 3L), values());
    try (CounterLog log = open()) {
      Thread.currentThread().interrupt();
      assertThrows(FatalGridException.class, () -> log.append(change("a", state(4))));
      assertTrue(Thread.interrupted());
      log.append(change("b", state(5)));
    }
    assertEquals(Map.of("a", 4L, "b", 5L), values());
  }

  /** Appends until the next change rewrites the file; returns the last value of "a". */
  private long fill(CounterLog log) throws IOException {
    long value = 0;
    while (Files.size(file()) + RECORD_BYTES <= 1 << 18) {
      log.append(change("a", state(++value)));
    }
    return value;
  }

  @Test
  void force_afterARewriteWhoseNameWasNotForced_forcesThatToo() throws IOException {
    written(1);
    try (CounterLog log = open()) {
      assertTrue(fill(log) > 0);
      disk.fail(Step.FORCE_FOLDER);
      assertThrows(FatalGridException.class, () -> log.append(change("b", state(1))));
      assertThrows(FatalGridException.class, log::force);
      disk.mend();
      int before = disk.foldersForced();
      log.force();
      assertEquals(before + 1, disk.foldersForced());
      log.append(change("b", state(2)));
      log.force();
      assertEquals(before + 1, disk.foldersForced());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"WRITE", "MOVE", "FORCE_FOLDER"})
  void rewriting_thatFails_isMadeUpFor(Step step) throws IOException {
    written(1);
    long value;
    try (CounterLog log = open()) {
      value = fill(log);
      disk.fail(step);
      assertThrows(FatalGridException.class, () -> log.append(change("b", state(1))));
      disk.mend();
      log.append(change("b", state(2)));
      log.force();
      assertTrue(log.isForced());
      log.append(change("c", state(3)));
      assertFalse(log.isForced());
      assertTrue(Files.size(file()) < 10 * RECORD_BYTES);
    }
    assertEquals(Map.of("a", value, "b", 2L, "c", 3L), values());
    assertEquals(List.of("counters.log"), names());
  }
}
