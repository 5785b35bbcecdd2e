package dev.isogrid.client;

import org.jspecify.annotations.Nullable;

/**
 * A change of an entry.
 *
 * @param kind the kind of change
 * @param key the key; null if a converter of the servers made {@code payload} of it
 * @param value the new value if {@link ListenerOptions#withValues} asked for it, else null
 * @param version the version of the entry afterwards; -1 if there is none or it is not known
 * @param payload the output of a converter of the servers: an object, or bytes with {@link
 *     ListenerOptions#withRawData}; null without such a converter
 * @param isRetried whether the servers may have sent the same event before
 * @param isState whether the entry was there before the listener was registered
 */
public record EntryEvent<K, V>(
    Kind kind,
    @Nullable K key,
    @Nullable V value,
    long version,
    @Nullable Object payload,
    boolean isRetried,
    boolean isState) {
  /** The kinds of changes. */
  public enum Kind {
    /** There is an entry where there was none. */
    CREATED,
    /** There is another value. */
    MODIFIED,
    /** There is no entry any more. */
    REMOVED,
    /** There is no entry any more, since its lifespan or max idle was over. */
    EXPIRED
  }
}
