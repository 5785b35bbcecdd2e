package dev.isogrid.bench.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.load.Entries;
import org.junit.jupiter.api.Test;

class RowTest {
  @Test
  void of_everyId_isThatRow() {
    for (Row row : Row.values()) {
      assertEquals(row, Row.of(row.id()));
    }
    assertEquals(Row.ISOGRID_OFF_HEAP_BOUNDED, Row.of("isogrid-off-heap-bounded"));
    assertThrows(InvalidRequestException.class, () -> Row.of("no-such-row"));
  }

  @Test
  void of_everyDataSet_isThatSet() {
    for (DataSet set : DataSet.values()) {
      assertEquals(set, DataSet.of(set.id()));
    }
    assertThrows(InvalidRequestException.class, () -> DataSet.of("2kB"));
  }

  @Test
  void entries_ofADataSet_haveItsSize() {
    Entries entries = DataSet.SIZE_1_KB.entries();

    assertEquals(100_000, entries.count());
    assertEquals("0000000000", new String(entries.key(0), US_ASCII));
    assertEquals("0000099999", new String(entries.key(99_999), US_ASCII));
    assertEquals(990, entries.value().length);
  }
}
