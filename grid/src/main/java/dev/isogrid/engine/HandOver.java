package dev.isogrid.engine;

import dev.isogrid.store.DetachedEntry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The way of one kept write to the cluster: says what is to be done, and is told what came of it.
 * Has no clock, no thread and no network. Not thread-safe.
 */
final class HandOver {
  /*
   * The side's write is taken over if the entry still has the version that the side's copy had, or
   * is one that the side has heard of before: then it is the later one. If not, both were written
   * at the same time, and the merge decides; what it decides is written if the entry is still the
   * one that it saw.
   *
   * A write without an answer is not repeated blindly. If the entry is what was to be written, it
   * was done. If it still has the version that it was to replace, it was not, and is tried again;
   * an earlier attempt that is late finds another version then. Else somebody wrote, perhaps after
   * ours was done: that stays. So nothing older is put in the place of what follows it; the price
   * is that a side's write may lose to one of the same time against the merge policy. An absence
   * has no version: an entry that was inserted, without an answer, and then removed by somebody, is
   * inserted again.
   */

  /** What became of a kept write. */
  enum Ending {
    /** Nobody else had changed the entry: it is the cluster's now. */
    HANDED_OVER,
    /** The cluster has the same anyway. */
    SAME,
    /** Both had changed the entry: the cluster's stays. */
    CONFLICT_LOST,
    /** Both had changed the entry: the side's is the cluster's now. */
    CONFLICT_WON,
    /** Both had changed the entry: the policy made something else of them. */
    CONFLICT_MERGED,
    /** An answer was lost, and the entry was changed meanwhile: the cluster's stays. */
    ANSWER_LOST,
    /** The cluster has no room for it, or not the cache any more. */
    REFUSED
  }

  /** What is to be done next. */
  sealed interface Step {}

  /** Read the cluster's entry. */
  record Read() implements Step {}

  /** Have the policy decide. */
  record Merge(@Nullable DetachedEntry clusters, @Nullable DetachedEntry sides) implements Step {}

  /**
   * Write if the entry still has a version.
   *
   * @param seen the version, 0 if there must be none
   * @param value what to store, or null to remove
   */
  record Write(long seen, @Nullable DetachedEntry value) implements Step {}

  /**
   * It is over.
   *
   * @param base the version that the entry has on the cluster now
   */
  record End(Ending ending, long base) implements Step {}

  private static final Read READ = new Read();

  private final @Nullable DetachedEntry value;
  private long base;
  private KeptWrite.@Nullable Ours ours;
  private @Nullable DetachedEntry read;
  private Ending whenWritten = Ending.HANDED_OVER;
  private @Nullable Write written;

  /** Begins with what is kept; {@link #begin} says what to do. */
  HandOver(KeptWrite write, long nowMillis) {
    this.value = write.live(nowMillis);
    this.base = write.base();
    this.ours = write.ours();
  }

  /** What is to be done first. */
  Step begin() {
    return READ;
  }

  /** What may have been written and has no answer, or null. */
  KeptWrite.@Nullable Ours ours() {
    return ours;
  }

  /**
   * The cluster's entry was read.
   *
   * @param entry it, or null if there is none
   */
  Step onRead(@Nullable DetachedEntry entry) {
    read = entry;
    long seen = seen();
    KeptWrite.Ours mine = ours;
    if (mine != null && !KeptWrite.isBefore(seen, mine.seen())) {
      if (!isSame(entry, mine.value())) {
        return new End(Ending.ANSWER_LOST, seen);
      }
      base = seen;
      if (isSame(mine.value(), value)) {
        return new End(written == null ? Ending.HANDED_OVER : whenWritten, seen);
      }
    }
    if (KeptWrite.isBefore(seen, base)) {
      return value == null && entry == null
          ? new End(Ending.SAME, seen)
          : write(value, Ending.HANDED_OVER);
    }
    return isSame(entry, value) ? new End(Ending.SAME, seen) : new Merge(entry, value);
  }

  private long seen() {
    return read == null ? 0 : read.sequence();
  }

  private Step write(@Nullable DetachedEntry next, Ending ending) {
    Write wanted = new Write(seen(), next);
    written = wanted;
    whenWritten = ending;
    return wanted;
  }

  /**
   * The policy decided.
   *
   * @param merged what the entry is to be, or null for none
   */
  Step onMerged(@Nullable DetachedEntry merged) {
    if (isSame(merged, read)) {
      return new End(Ending.CONFLICT_LOST, seen());
    }
    boolean isOfSide = isSame(merged, value);
    return write(merged, isOfSide ? Ending.CONFLICT_WON : Ending.CONFLICT_MERGED);
  }

  /**
   * The write was done.
   *
   * @param sequence the version that it got, 0 for a removal
   */
  Step onWritten(long sequence) {
    return new End(whenWritten, Objects.requireNonNull(written).value == null ? 0 : sequence);
  }

  /** The write was not done, since the entry is not the one that was read. */
  Step onOther() {
    return READ;
  }

  /** It is not known whether the write was done. */
  Step onUnknown() {
    Write tried = Objects.requireNonNull(written);
    ours = new KeptWrite.Ours(tried.seen, tried.value);
    return READ;
  }

  /** There is no room for the write, or nothing to write to. */
  Step onRefused() {
    return new End(Ending.REFUSED, seen());
  }

  /** Whether two entries are the same to users, whatever their times and versions are. */
  static boolean isSame(@Nullable DetachedEntry one, @Nullable DetachedEntry other) {
    if (one == null || other == null) {
      return one == null && other == null;
    }
    return one.clientFlags() == other.clientFlags()
        && Objects.equals(one.mediaType(), other.mediaType())
        && one.value().equals(other.value());
  }
}
