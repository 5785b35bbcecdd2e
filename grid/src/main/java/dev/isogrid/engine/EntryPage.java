package dev.isogrid.engine;

import dev.isogrid.store.DetachedEntry;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some entries of a cache in a segment, in the order of {@link #ORDER}.
 *
 * @param items the entries
 * @param last the last key that was looked at, which the next page follows; null if there was none
 * @param isLast whether there are no more
 */
record EntryPage(List<Item> items, @Nullable EntryKey last, boolean isLast) {
  /** Copies the list. */
  EntryPage {
    items = List.copyOf(items);
  }

  /** An entry. */
  record Item(EntryKey key, DetachedEntry entry) {}

  /** The order of keys: by hash and, where that is the same, by their bytes. */
  static final Comparator<EntryKey> ORDER =
      Comparator.comparing(EntryKey::hash, Integer::compareUnsigned)
          .thenComparing(EntryKey::bytes, Arrays::compareUnsigned);
}
