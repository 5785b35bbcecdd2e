package dev.isogrid.bench.memory;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.load.Entries;
import java.util.Arrays;

/** The entries of a load: a number of entries of one size. */
enum DataSet {
  SIZE_512_B("512B", "100 MB in entries of 512 B", 195_312, 512),
  SIZE_1_KB("1kB", "100 MB in entries of 1,000 B", 100_000, 1_000),
  SIZE_10_KB("10kB", "100 MB in entries of 10,000 B", 10_000, 10_000),
  SIZE_1_MB("1MB", "100 MB in entries of 1,000,000 B", 100, 1_000_000),
  MILLION("1M", "1,000,000 entries of 10 + 64 B", 1_000_000, 74),
  TEN_MILLION("10M", "10,000,000 entries of 10 + 64 B", 10_000_000, 74);

  private final String id;
  private final String label;
  private final int count;
  private final int entrySize;

  DataSet(String id, String label, int count, int entrySize) {
    this.id = id;
    this.label = label;
    this.count = count;
    this.entrySize = entrySize;
  }

  /**
   * The one of a name.
   *
   * @throws InvalidRequestException if no data set has this name; the message lists the names
   */
  static DataSet of(String id) {
    return Arrays.stream(values())
        .filter(set -> set.id.equals(id))
        .findFirst()
        .orElseThrow(() ->
            new InvalidRequestException(
                "no such data set: %s; there are %s"
                    .formatted(id, Arrays.stream(values()).map(DataSet::id).toList())));
  }

  /** The name on the command line. */
  String id() {
    return id;
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /** The number of entries. */
  int count() {
    return count;
  }

  /** The bytes of a key and its value. */
  int entrySize() {
    return entrySize;
  }

  /** The entries, which themselves take hardly any memory. */
  Entries entries() {
    return Entries.withKeysOfOneSize(count, entrySize - Entries.KEY_SIZE);
  }
}
