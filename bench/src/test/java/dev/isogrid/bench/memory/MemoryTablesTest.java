package dev.isogrid.bench.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.bench.process.MappedMemory;
import dev.isogrid.bench.process.ProcessFacts.Heap;
import dev.isogrid.bench.report.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTablesTest {
  private static final DataSet SET = DataSet.MILLION;
  private static final long COUNT = 1_000_000;

  /** A JVM of 60 MB: 32 MB of them are heap, 5 MB of the heap are used. */
  private static final Reading BEFORE = reading(60, 32, 5, new OwnCount(0, 1_000_000));

  /** 160 MB more, 40 MB of them free heap. */
  private static final Reading AFTER = reading(220, 172, 105, new OwnCount(90_000_000, 3_000_000));

  @TempDir private Path folder;

  private static Reading reading(long all, long mappedHeap, long usedHeap, OwnCount own) {
    return new Reading(
        new MappedMemory(all * COUNT, all * COUNT),
        new Heap(usedHeap * COUNT, 0, 1),
        new MappedMemory(mappedHeap * COUNT, mappedHeap * COUNT),
        own);
  }

  @Test
  void growth_ofAJvm_leavesOutFreeHeap() {
    Growth growth = Growth.of(SET, BEFORE, AFTER);

    assertEquals(120, growth.process());
    assertEquals(100, growth.heap());
    assertEquals(160, growth.resident());
    assertEquals(160, growth.proportional());
    assertEquals(90, growth.own());
    assertEquals(2, growth.reserved());
  }

  @Test
  void growth_withoutOwnCount_isNotANumber() {
    Growth growth =
        Growth.of(SET, reading(1, 0, 0, OwnCount.NONE), reading(101, 0, 0, OwnCount.NONE));

    assertEquals(100, growth.process());
    assertTrue(Double.isNaN(growth.own()));
    assertTrue(Double.isNaN(growth.reserved()));
  }

  @Test
  void csv_ofEveryRound_hasALineWithACellForEachName() {
    MemoryTables tables = new MemoryTables();
    tables.add(new Round(SET, Row.CAFFEINE, 1, false), BEFORE, AFTER);
    tables.add(new Round(SET, Row.CAFFEINE, 2, true), BEFORE, AFTER);

    List<String> lines = tables.csv().lines().toList();

    assertEquals(3, lines.size());
    assertTrue(lines.get(1).startsWith("1M,caffeine,1,no,1000000,74,46.000,100.000,160.000,"));
    assertTrue(lines.get(2).startsWith("1M,caffeine,2,yes,"));
    int names = lines.getFirst().split(",", -1).length;
    lines.forEach(line -> assertEquals(names, line.split(",", -1).length, line));
  }

  @Test
  void addTo_ofAReport_addsTableAndFiles() throws Exception {
    MemoryTables tables = new MemoryTables();
    tables.add(new Round(SET, Row.CAFFEINE, 1, false), BEFORE, BEFORE);
    tables.add(new Round(SET, Row.CAFFEINE, 2, true), BEFORE, AFTER);
    Report report = new Report();

    tables.addTo(report);
    Path file = report.write(folder, "memory", Map.of());

    String text = Files.readString(file);
    assertTrue(text.contains("| Caffeine, bounded |     46.0 | 46.0 | 46.0 |    26.0 |"), text);
    String stem = file.getFileName().toString().replace(".md", "");
    assertTrue(text.contains("![%s](%s.svg)".formatted(stem, stem)), text);
    assertEquals(tables.csv(), Files.readString(folder.resolve(stem + ".csv")));
    assertTrue(Files.readString(folder.resolve(stem + ".svg")).startsWith("<svg "));
  }

  @Test
  void addTo_withEntriesOffTheHeap_givesNoOverheadByHeap() {
    MemoryTables tables = new MemoryTables();
    tables.add(
        new Round(SET, Row.REDIS, 1, true),
        reading(1, 0, 0, OwnCount.NONE),
        reading(101, 0, 0, OwnCount.NONE));
    Report report = new Report();

    tables.addTo(report);

    assertTrue(
        report.body().contains("| Redis |     26.0 | 26.0 | 26.0 |       - |"), report::body);
    assertFalse(report.body().contains("NaN"), report::body);
  }

  @Test
  void ownCount_writtenAndRead_isTheSame() {
    OwnCount own = new OwnCount(12, OwnCount.UNKNOWN);

    assertEquals(own, OwnCount.parse(own.text()));
  }
}
