package dev.isogrid.engine;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.store.EntryView;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A change of an entry that was just applied. Key, window and value are borrowed: they are valid
 * during the call that gets this. For the thread that holds the lock of the segment.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public final class Change<K, V> {
  private final CacheEvent.Kind kind;
  private final int segment;
  private final K key;
  private final EntryView<K, V> before;
  private final @Nullable V value;
  private final long version;

  /** What a listener made of this for others like it, or null. */
  private @Nullable Object shared;

  /**
   * Describes a change.
   *
   * @param kind what happens
   * @param segment the number of the segment
   * @param key the key
   * @param before the entry before the change, or its absence
   * @param value the new value, or null if the entry goes away
   * @param version the version of the change
   */
  // tidy: the fields of one message
  public Change(
      CacheEvent.Kind kind,
      int segment,
      K key,
      EntryView<K, V> before,
      @Nullable V value,
      long version) {
    this.kind = kind;
    this.segment = segment;
    this.key = key;
    this.before = before;
    this.value = value;
    this.version = version;
  }

  /** What happens. */
  public CacheEvent.Kind kind() {
    return kind;
  }

  /** The number of the segment. */
  public int segment() {
    return segment;
  }

  /** The key. */
  public K key() {
    return key;
  }

  /** The entry before the change, or its absence. */
  public EntryView<K, V> before() {
    return before;
  }

  /** The new value, or null if the entry goes away. */
  public @Nullable V value() {
    return value;
  }

  /** The version of the change. */
  public long version() {
    return version;
  }

  /**
   * Returns what the first caller made of this change, so that many listeners keep one copy of it.
   *
   * @param type what listeners of one kind share; those of another kind make their own
   * @param maker makes it for the first caller; must not keep what is borrowed
   */
  public <T> T shared(Class<T> type, Function<? super Change<K, V>, T> maker) {
    Object made = shared;
    if (type.isInstance(made)) {
      return type.cast(made);
    }
    T mine = maker.apply(this);
    shared = mine;
    return mine;
  }

  /** What happens, without what is borrowed. */
  @Override
  public String toString() {
    return "Change[kind=%s, segment=%d, version=%d]".formatted(kind, segment, version);
  }
}
