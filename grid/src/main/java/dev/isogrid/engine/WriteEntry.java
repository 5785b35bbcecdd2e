package dev.isogrid.engine;

import dev.isogrid.base.EpochClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.Effect;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A write of one entry, decided upon by the segment's primary.
 *
 * @param key the key
 * @param action what to do
 * @param condition what must hold for it
 * @param expectedSequence the version for {@link KeyWrite.Condition#VERSION} and {@link
 *     Action#EXPIRE}, without its epoch
 * @param fields what to store or, with {@link Action#TOUCH}, the new times; null for removals
 * @param wantsPrevious whether the entry before is to be in the answer
 * @param isSilent whether listeners are not to be told
 * @param clock the primary's, which decides what is expired
 */
record WriteEntry(
    EntryKey key,
    Action action,
    KeyWrite.Condition condition,
    long expectedSequence,
    @Nullable Fields fields,
    boolean wantsPrevious,
    boolean isSilent,
    EpochClock clock)
    implements EntryCommand {
  /** What to do with the entry. */
  enum Action {
    /** Give it a value. */
    STORE,
    /** Remove it. */
    REMOVE,
    /** Give it new times, and leave its value and version. */
    TOUCH,
    /** Remove it if its time is over. */
    EXPIRE
  }

  /**
   * What an entry gets.
   *
   * @param lifespanMillis the lifespan, no default any more
   * @param maxIdleMillis the max idle, no default any more
   */
  record Fields(
      long lifespanMillis,
      long maxIdleMillis,
      int clientFlags,
      @Nullable String mediaType,
      ByteString value)
      implements Sized {
    @Override
    public int sizeBytes() {
      return SMALL_BYTES + value.length();
    }

    DetachedEntry entry(long nowMillis) {
      return new DetachedEntry(
          0, nowMillis, lifespanMillis, nowMillis, maxIdleMillis, clientFlags, mediaType, value);
    }
  }

  @Override
  public boolean isRead() {
    return false;
  }

  @Override
  public int sizeBytes() {
    return key.sizeBytes() + Sized.of(fields);
  }

  @Override
  public boolean needsValue() {
    return wantsPrevious || action == Action.TOUCH;
  }

  @Override
  public Decision decide(@Nullable Object value, long seq, long nextSeq) {
    long nowMillis = clock.millis();
    DetachedEntry stored = (DetachedEntry) value;
    boolean isExpired = stored != null && stored.isExpired(nowMillis);
    DetachedEntry current = stored == null || isExpired ? null : ofVersion(stored, seq);
    if (action == Action.EXPIRE) {
      boolean isIt =
          stored != null && isExpired && ofVersion(stored, seq).sequence() == expectedSequence;
      return new Decision(isIt, null, result(KeyWrite.Outcome.DONE, null, 0));
    }
    KeyWrite.Outcome outcome = KeyWrite.decide(condition, current != null, isExpected(current));
    if (outcome != KeyWrite.Outcome.DONE) {
      return new Decision(false, null, result(outcome, current, 0));
    }
    Fields given = fields;
    if (action == Action.STORE) {
      return new Decision(
          true, Objects.requireNonNull(given).entry(nowMillis), result(outcome, current, nextSeq));
    }
    if (current == null) {
      return new Decision(isExpired, null, result(KeyWrite.Outcome.KEY_ABSENT, null, 0));
    }
    if (action == Action.REMOVE) {
      return new Decision(true, null, result(outcome, current, nextSeq));
    }
    Objects.requireNonNull(given);
    DetachedEntry touched =
        current.touched(nowMillis, given.lifespanMillis(), given.maxIdleMillis());
    return new Decision(true, touched, result(outcome, current, 0));
  }

  /**
   * What makes an effect come about; null if it is none.
   *
   * @param effect defaults resolved
   * @param expected the version for {@link KeyWrite.Condition#VERSION}, without its epoch
   */
  static @Nullable WriteEntry of(
      EntryKey key,
      Effect<Bytes> effect,
      KeyWrite.Condition condition,
      long expected,
      EpochClock clock) {
    Action action =
        switch (effect.kind()) {
          case LEAVE -> null;
          case STORE -> Action.STORE;
          case REMOVE -> Action.REMOVE;
          case TOUCH -> Action.TOUCH;
        };
    if (action == null) {
      return null;
    }
    boolean stores = action == Action.STORE;
    Fields fields =
        action == Action.REMOVE
            ? null
            : new Fields(
                effect.lifespanMillis(),
                effect.maxIdleMillis(),
                stores ? effect.clientFlags() : 0,
                stores ? effect.mediaType() : null,
                ByteString.of(stores ? effect.value().toByteArray() : new byte[0]));
    return new WriteEntry(
        key, action, condition, expected, fields, false, effect.isSilent(), clock);
  }

  /** The same, which asks for the entry before as well. */
  WriteEntry wantingPrevious() {
    return new WriteEntry(key, action, condition, expectedSequence, fields, true, isSilent, clock);
  }

  /** Returns whether this removes the entry whatever it is. */
  boolean removesAnyway() {
    return action == Action.REMOVE && condition == KeyWrite.Condition.NONE;
  }

  private boolean isExpected(@Nullable DetachedEntry current) {
    return current != null && current.sequence() == expectedSequence;
  }

  /** An entry with its version, which is that of the write that made it unless it says another. */
  static DetachedEntry ofVersion(DetachedEntry entry, long seq) {
    return entry.sequence() == 0 ? entry.withSequence(seq) : entry;
  }

  private WriteResult result(
      KeyWrite.Outcome outcome, @Nullable DetachedEntry current, long sequence) {
    return new WriteResult(
        outcome, current != null, sequence, wantsPrevious ? current : null, isSilent, null, false);
  }
}
