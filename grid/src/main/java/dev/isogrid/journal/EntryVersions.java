package dev.isogrid.journal;

import java.util.Arrays;

/** A list of versions and their segments. For one thread at a time. */
final class EntryVersions {
  private static final int CAPACITY_MIN = 16;

  /** Segments and versions in turn. */
  private long[] items = new long[CAPACITY_MIN];

  private int size;

  void add(int segment, long version) {
    if (size == items.length) {
      items = Arrays.copyOf(items, 2 * size);
    }
    items[size] = segment;
    items[size + 1] = version;
    size += 2;
  }

  /** Adds all of them to others, and is empty then. */
  void moveTo(ReplacedVersions others) {
    for (int i = 0; i < size; i += 2) {
      others.add((int) items[i], items[i + 1]);
    }
    size = 0;
  }
}
