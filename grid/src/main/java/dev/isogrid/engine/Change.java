package dev.isogrid.engine;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.store.EntryView;
import org.jspecify.annotations.Nullable;

/**
 * A change of an entry that was just applied. Key, window and value are borrowed: they are valid
 * during the call that gets this.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 * @param kind what happens
 * @param segment the number of the segment
 * @param key the key
 * @param before the entry before the change, or its absence
 * @param value the new value, or null if the entry goes away
 * @param version the version of the change
 */
public record Change<K, V>(
    CacheEvent.Kind kind,
    int segment,
    K key,
    EntryView<K, V> before,
    @Nullable V value,
    long version) {}
