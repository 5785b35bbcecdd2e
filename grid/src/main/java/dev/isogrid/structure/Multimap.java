package dev.isogrid.structure;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import java.util.function.ToLongFunction;

/**
 * The multimap in a cache: an entry holds all values of its key, as a {@link ValueList}. Each
 * change is one write of that entry, decided from what is there. Entries that are no list are left
 * alone: single-key operations refuse them, and those on all keys pass over them. Thread-safe.
 *
 * <p>The same entries can be seen with duplicates and without; in the latter view equal values are
 * one.
 */
public final class Multimap {
  /** The most bytes of a key's values, so that an entry stays as large as one that is put whole. */
  public static final int VALUES_SIZE_MAX = 10 << 20;

  private final CacheEngine<BinaryKey, Bytes> engine;
  private final boolean supportsDuplicates;

  /**
   * The multimap in a cache.
   *
   * @param supportsDuplicates whether a key can have equal values
   */
  public Multimap(CacheEngine<BinaryKey, Bytes> engine, boolean supportsDuplicates) {
    this.engine = engine;
    this.supportsDuplicates = supportsDuplicates;
  }

  /**
   * Adds a value to those of a key, as the last one, if it is new or duplicates are supported.
   *
   * @throws InvalidRequestException if the values would be too large
   */
  public void put(BinaryKey key, byte[] value) {
    Write write =
        new Write(list -> supportsDuplicates || !list.contains(value) ? plus(list, value) : list);
    engine.write(key, key.hash(), write);
  }

  private ValueList plus(ValueList list, byte[] value) {
    ValueList longer = list.plus(value);
    if (longer.size() > VALUES_SIZE_MAX) {
      throw new InvalidRequestException(
          "values of a key too large: cache=%s, values=%d, size=%d, limit=%d; use more keys"
              .formatted(engine.name(), longer.count(), longer.size(), VALUES_SIZE_MAX));
    }
    return longer;
  }

  /** Removes all values of a key; whether there were any. */
  public boolean remove(BinaryKey key) {
    return change(key, _ -> ValueList.EMPTY);
  }

  /** Removes a value of a key, with its duplicates; whether it was there. */
  public boolean remove(BinaryKey key, byte[] value) {
    return change(key, list -> list.without(value));
  }

  private boolean change(BinaryKey key, Change change) {
    Write write = new Write(change);
    engine.write(key, key.hash(), write);
    return write.hasChanged;
  }

  /** The values of a key as this multimap shows them; maybe empty. */
  public ValueList get(BinaryKey key) {
    byte[] bytes = engine.readBytes(key, key.hash());
    return bytes == null ? ValueList.EMPTY : shown(bytes);
  }

  /**
   * The values in the bytes of an entry as this multimap shows them.
   *
   * @throws InvalidRequestException if the bytes are no list
   */
  public ValueList shown(byte[] entry) {
    ValueList list = list(entry);
    return supportsDuplicates ? list : list.distinct();
  }

  private ValueList list(byte[] entry) {
    ValueList list = ValueList.tryRead(entry);
    if (list == null) {
      throw new InvalidRequestException(
          "entry of a multimap expected: cache=%s, size=%d; it was written otherwise, remove it"
              .formatted(engine.name(), entry.length));
    }
    return list;
  }

  /** Whether a key has a value. */
  public boolean containsEntry(BinaryKey key, byte[] value) {
    return get(key).contains(value);
  }

  /** Whether some key has a value. Goes through all segments. */
  public boolean containsValue(byte[] value) {
    return sum(list -> list.contains(value) ? 1 : 0, 1) > 0;
  }

  /** The number of values. Goes through all segments. */
  public long size() {
    return sum(list -> (supportsDuplicates ? list : list.distinct()).count(), Long.MAX_VALUE);
  }

  private long sum(ToLongFunction<ValueList> counting, long enough) {
    EntryView<BinaryKey, Bytes> view = engine.newView();
    long sum = 0;
    try (EntryWalk<BinaryKey, Bytes> walk = engine.walk()) {
      while (sum < enough && walk.next(view)) {
        ValueList list = ValueList.tryRead(view.value().toByteArray());
        sum += list == null ? 0 : counting.applyAsLong(list);
      }
    }
    return sum;
  }

  /** What becomes of the values of a key; the same object for no change. */
  private interface Change {
    ValueList apply(ValueList current);
  }

  /** The write of one key. Used once; decides anew each time it is applied. */
  private final class Write implements Mutation<BinaryKey, Bytes> {
    private final Change change;
    private boolean hasChanged;

    Write(Change change) {
      this.change = change;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the same list means that nothing changes
    public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
      ValueList before =
          current.isPresent() ? list(current.value().toByteArray()) : ValueList.EMPTY;
      ValueList after = change.apply(before);
      hasChanged = after != before;
      if (hasChanged && after.isEmpty()) {
        effect.remove();
      } else if (hasChanged) {
        Bytes bytes = Bytes.of(after.toBytes());
        effect.store(bytes, Expiry.CACHE_DEFAULT, Expiry.CACHE_DEFAULT);
      }
    }
  }
}
