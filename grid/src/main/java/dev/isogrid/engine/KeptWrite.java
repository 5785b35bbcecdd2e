package dev.isogrid.engine;

import dev.isogrid.store.DetachedEntry;
import org.jspecify.annotations.Nullable;

/**
 * A side's state of an entry, kept apart from the node's copy of it.
 *
 * @param key the key
 * @param base the version that the entry had in the copy, without its epoch; 0 if there was none;
 *     if the side has no copy, what {@link #unknown} says
 * @param value the entry with its version on the side, or null if it was removed
 * @param sequence the version on the side; says which write this is as well
 * @param turn counts the writes of a keeper
 * @param ours what may already have been written to the cluster in place of the base, or null
 */
record KeptWrite(
    EntryKey key,
    long base,
    @Nullable DetachedEntry value,
    long sequence,
    long turn,
    @Nullable Ours ours)
    implements Sized {
  private static final int FIELDS_BYTES = 128;

  /**
   * A write of the side that may have reached the cluster.
   *
   * @param seen the version of the entry that it was to replace, as {@link KeptWrite#base}
   * @param value what it was to store, or null for a removal
   */
  record Ours(long seen, @Nullable DetachedEntry value) {}

  /**
   * The base of an entry of whose segment the side has no copy.
   *
   * @param place the last version of the segment that the side has heard of, or 0: an entry that
   *     has it or an earlier one was written before
   */
  static long unknown(long place) {
    return -1 - place;
  }

  /**
   * Whether an entry is not one that was written after the side saw it, or heard of it.
   *
   * @param seen its version, 0 for none
   */
  static boolean isBefore(long seen, long base) {
    return base < 0 ? seen <= -1 - base : seen == base;
  }

  /** The entry if its time is not over, or null. */
  @Nullable DetachedEntry live(long nowMillis) {
    return value == null || value.isExpired(nowMillis) ? null : value;
  }

  /** The same with another history on the cluster. */
  KeptWrite following(long newBase, @Nullable Ours newOurs) {
    return new KeptWrite(key, newBase, value, sequence, turn, newOurs);
  }

  @Override
  public int sizeBytes() {
    return FIELDS_BYTES + key.sizeBytes() + Sized.of(value) + (ours == null ? 0 : oursBytes(ours));
  }

  private static int oursBytes(Ours ours) {
    return Sized.of(ours.value());
  }
}
