package dev.isogrid.engine;

import dev.isogrid.store.UserMutation;

/**
 * A change of memory that its store knows of already, or that comes from the store.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
sealed interface BackedMutation<K, V> extends UserMutation<K, V> permits BackedWrite, StoreLoad {}
