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
 * The multimap in a cache: an entry has all values of its key, as a {@link ValueList}. Each change
 * is one write of that entry, decided from its current content. Entries of another form stay
 * untouched: single-key operations refuse them, and those on all keys skip them. Thread-safe.
 *
 * <p>The same entries can be used with duplicates and without; without duplicates, equal values
 * count as one.
 */
public final class Multimap {
  /** The most bytes of a key's values: the limit of an entry that is put as a whole. */
  public static final int VALUES_SIZE_MAX = 10 << 20;

  private final CacheEngine<BinaryKey, Bytes> engine;
  private final boolean supportsDuplicates;
  private final boolean mayWait;
  private final boolean isSilent;

  /**
   * The multimap in a cache.
   *
   * @param supportsDuplicates whether a key can have equal values
   */
  public Multimap(CacheEngine<BinaryKey, Bytes> engine, boolean supportsDuplicates) {
    this(engine, supportsDuplicates, true, false);
  }

  /**
   * The multimap in a cache for a thread that may not be allowed to wait.
   *
   * @param supportsDuplicates whether a key can have equal values
   * @param mayWait whether it may wait; if not, operations on one key that would wait throw {@link
   *     dev.isogrid.engine.WouldWaitException}
   * @param isSilent whether listeners of the cache are not notified of changes
   */
  public Multimap(
      CacheEngine<BinaryKey, Bytes> engine,
      boolean supportsDuplicates,
      boolean mayWait,
      boolean isSilent) {
    this.engine = engine;
    this.supportsDuplicates = supportsDuplicates;
    this.mayWait = mayWait;
    this.isSilent = isSilent;
  }

  /**
   * Adds a value to those of a key, as the last one, if it is new or duplicates are supported.
   *
   * @throws InvalidRequestException if the values would exceed the limit
   */
  public void put(BinaryKey key, byte[] value) {
    Write write =
        new Write(list -> supportsDuplicates || !list.contains(value) ? plus(list, value) : list);
    engine.write(key, key.hash(), write, mayWait);
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

  /** Removes all values of a key; returns whether there were any. */
  public boolean remove(BinaryKey key) {
    return change(key, _ -> ValueList.EMPTY);
  }

  /** Removes a value of a key, with its duplicates; returns whether it existed. */
  public boolean remove(BinaryKey key, byte[] value) {
    return change(key, list -> list.without(value));
  }

  private boolean change(BinaryKey key, Change change) {
    Write write = new Write(change);
    engine.write(key, key.hash(), write, mayWait);
    return write.hasChanged;
  }

  /** The values of a key in this multimap's view; may be empty. */
  public ValueList get(BinaryKey key) {
    byte[] bytes = engine.readBytes(key, key.hash(), mayWait);
    return bytes == null ? ValueList.EMPTY : shown(bytes);
  }

  /**
   * The values in the bytes of an entry, in this multimap's view.
   *
   * @throws InvalidRequestException if the bytes are not a list
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

  /** Whether some key has a value. Visits all segments. */
  public boolean containsValue(byte[] value) {
    return sum(list -> list.contains(value) ? 1 : 0, 1) > 0;
  }

  /** The number of values. Visits all segments. */
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

  /** Computes the new values of a key; the same object for no change. */
  private interface Change {
    ValueList apply(ValueList current);
  }

  /** The write of one key. Used once; decides anew at each application. */
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
      effect.silent(isSilent);
      if (hasChanged && after.isEmpty()) {
        effect.remove();
      } else if (hasChanged) {
        Bytes bytes = Bytes.of(after.toBytes());
        effect.store(bytes, Expiry.CACHE_DEFAULT, Expiry.CACHE_DEFAULT);
      }
    }
  }
}
