package dev.isogrid.engine;

import dev.isogrid.api.Expiry;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import org.jspecify.annotations.Nullable;

/**
 * The writes that every protocol has: put and remove, unconditional or on the condition that the
 * entry is absent, present, or of a version. Holds the request and, afterwards, the answer.
 * Reusable, so that a connection needs one for all its requests; not thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public final class KeyWrite<K, V> implements Mutation<K, V> {
  /** The condition under which the write is done. */
  public enum Condition {
    /** Nothing. */
    NONE,
    /** There is no entry. */
    ABSENT,
    /** There is an entry. */
    PRESENT,
    /** There is an entry of the expected version. */
    VERSION
  }

  /** The outcome of the write. */
  public enum Outcome {
    /** It was done. */
    DONE,
    /** It was not done: there is an entry already. */
    KEY_PRESENT,
    /** It was not done: there is no entry. */
    KEY_ABSENT,
    /** It was not done: the entry has another version. */
    OTHER_VERSION
  }

  private Condition condition = Condition.NONE;
  private long expectedVersion;
  private @Nullable V value;
  private long lifespanMillis;
  private long maxIdleMillis;
  private int clientFlags;
  private @Nullable String mediaType;
  private boolean silent;
  private @Nullable EntryReader<K, V> previousReader;
  private ClientOperation.@Nullable Source client;
  private Outcome outcome = Outcome.DONE;
  private boolean existed;

  /**
   * Makes this a put without a condition, with the cache's default expiry and no attributes.
   *
   * @param value borrowed until the write is done
   * @return this
   */
  public KeyWrite<K, V> put(V value) {
    reset();
    this.value = value;
    return this;
  }

  /** Makes this a removal without a condition. */
  public KeyWrite<K, V> remove() {
    reset();
    return this;
  }

  private void reset() {
    condition = Condition.NONE;
    value = null;
    lifespanMillis = Expiry.CACHE_DEFAULT;
    maxIdleMillis = Expiry.CACHE_DEFAULT;
    clientFlags = 0;
    mediaType = null;
    silent = false;
    previousReader = null;
    client = null;
  }

  /** Adds a condition other than {@link Condition#VERSION}. */
  public KeyWrite<K, V> when(Condition condition) {
    this.condition = condition;
    return this;
  }

  /** Adds the condition that the entry is of a version. */
  public KeyWrite<K, V> whenVersion(long version) {
    this.condition = Condition.VERSION;
    this.expectedVersion = version;
    return this;
  }

  /** Sets the times of a put, in milliseconds or as in {@link Expiry}. */
  public KeyWrite<K, V> expiry(long lifespanMillis, long maxIdleMillis) {
    this.lifespanMillis = lifespanMillis;
    this.maxIdleMillis = maxIdleMillis;
    return this;
  }

  /** Sets what a put keeps beside the value: memcached's flags, and a media type or null. */
  public KeyWrite<K, V> attributes(int clientFlags, @Nullable String mediaType) {
    this.clientFlags = clientFlags;
    this.mediaType = mediaType;
    return this;
  }

  /** Says whether listeners must not hear of the write. */
  public KeyWrite<K, V> silent(boolean silent) {
    this.silent = silent;
    return this;
  }

  /**
   * Asks for the entry as it was before the write, whether the write is done or not. The reader is
   * called under the segment's lock, and only if there was an entry.
   */
  public KeyWrite<K, V> readingPrevious(@Nullable EntryReader<K, V> reader) {
    this.previousReader = reader;
    return this;
  }

  /** Says which operation of a client this is, so that a repetition takes no effect. */
  public KeyWrite<K, V> of(ClientOperation.@Nullable Source operation) {
    this.client = operation;
    return this;
  }

  /** Says which operation of a client this is, or null. */
  ClientOperation.@Nullable Source client() {
    return client;
  }

  /** Whether it is done whatever there is, and asks for nothing. */
  boolean isPlain() {
    return condition == Condition.NONE && previousReader == null;
  }

  /** Another put that is the same but for its value. */
  KeyWrite<K, V> withValue(V other) {
    return new KeyWrite<K, V>()
        .put(other)
        .expiry(lifespanMillis, maxIdleMillis)
        .attributes(clientFlags, mediaType)
        .silent(silent);
  }

  @Override
  public void apply(EntryView<K, V> current, Effect<V> effect) {
    existed = current.isPresent();
    outcome = decide(current);
    if (existed && previousReader != null) {
      previousReader.read(current);
    }
    if (outcome != Outcome.DONE) {
      return;
    }
    effect.silent(silent);
    if (value != null) {
      effect.store(value, lifespanMillis, maxIdleMillis, clientFlags, mediaType);
    } else if (existed) {
      effect.remove();
    } else {
      outcome = Outcome.KEY_ABSENT;
    }
  }

  private Outcome decide(EntryView<K, V> current) {
    return decide(condition, existed, existed && current.version() == expectedVersion);
  }

  /**
   * The outcome of a write.
   *
   * @param exists whether there is an entry
   * @param isExpected whether it is of the expected version
   */
  static Outcome decide(Condition condition, boolean exists, boolean isExpected) {
    return switch (condition) {
      case NONE -> Outcome.DONE;
      case ABSENT -> exists ? Outcome.KEY_PRESENT : Outcome.DONE;
      case PRESENT -> exists ? Outcome.DONE : Outcome.KEY_ABSENT;
      case VERSION -> {
        if (!exists) {
          yield Outcome.KEY_ABSENT;
        }
        yield isExpected ? Outcome.DONE : Outcome.OTHER_VERSION;
      }
    };
  }

  @Override
  public boolean isRemoval() {
    return value == null;
  }

  /** The condition. */
  Condition condition() {
    return condition;
  }

  /** The version for {@link Condition#VERSION}. */
  long expectedVersion() {
    return expectedVersion;
  }

  /** The value of a put, or null for a removal. */
  @Nullable V value() {
    return value;
  }

  /** The lifespan of a put, as in {@link Expiry}. */
  long lifespanMillis() {
    return lifespanMillis;
  }

  /** The max idle of a put, as in {@link Expiry}. */
  long maxIdleMillis() {
    return maxIdleMillis;
  }

  /** The bits of a put for memcached clients. */
  int clientFlags() {
    return clientFlags;
  }

  /** The media type of a put, or null. */
  @Nullable String mediaType() {
    return mediaType;
  }

  /** Whether listeners are not to be told. */
  boolean isSilent() {
    return silent;
  }

  /** Gets the entry before, or null. */
  @Nullable EntryReader<K, V> previousReader() {
    return previousReader;
  }

  /** Takes the answer of who carried it out. */
  void answer(Outcome answered, boolean entryExisted) {
    outcome = answered;
    existed = entryExisted;
  }

  /** The outcome of the write. */
  public Outcome outcome() {
    return outcome;
  }

  /** Whether there was an entry before the write. */
  public boolean existed() {
    return existed;
  }
}
