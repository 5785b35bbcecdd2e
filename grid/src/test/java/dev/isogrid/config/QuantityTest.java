package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-1, -1",
    "4096, 4096",
    "1B, 1",
    "10KB, 10000",
    "10MB, 10000000",
    "2GB, 2000000000",
    "3TB, 3000000000000",
    "1KiB, 1024",
    "1MiB, 1048576",
    "1.5 GiB, 1610612736",
    "2TiB, 2199023255552",
    "1.9B, 1",
    "' 7 KB ', 7000",
    "9223372036854775807, 9223372036854775807",
  })
  void sizeBytes_number_computesBytes(String text, long bytes) {
    assertEquals(bytes, Quantity.sizeBytes(text).getAsLong());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "1.5",
        "1.KB",
        ".5KB",
        "1..5KB",
        "1,5KB",
        "10mb",
        "10kb",
        "1PB",
        "KB",
        "1 K B",
        "0x10",
        "1e3",
        "1e3KB",
        "+1",
        "--1",
        "٣",
        "9223372036854775808",
        "8388608TiB",
        "NaN",
      })
  void sizeBytes_somethingElse_givesNothing(String text) {
    assertTrue(Quantity.sizeBytes(text).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "250, 250",
    "-1, -1",
    "15s, 15000",
    "1.5h, 5400000",
    "30m, 1800000",
    "7 ms, 7",
    "2d, 172800000",
    "1.0005s, 1000",
    "-2s, -2000",
    "-9223372036854775808, -9223372036854775808",
  })
  void timeMillis_number_computesMillis(String text, long millis) {
    assertEquals(millis, Quantity.timeMillis(text).getAsLong());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "15S",
        "15 sec",
        "1.5",
        "1h30m",
        "s",
        "1M",
        "9223372036854775808",
        "1000000000000d"
      })
  void timeMillis_somethingElse_givesNothing(String text) {
    assertTrue(Quantity.timeMillis(text).isEmpty());
  }

  @Test
  void timeMillis_veryLongNumber_givesNothing() {
    assertTrue(Quantity.timeMillis("1".repeat(100_000) + "s").isEmpty());
  }
}
