package dev.isogrid.engine;

import dev.isogrid.api.StoreEntry;
import org.jspecify.annotations.Nullable;

/**
 * What a store has to do for one key.
 *
 * @param identity what is equal for equal keys
 * @param key in the store's form
 * @param entry the new one; null to delete what there is
 */
record StoreChange(Object identity, Object key, @Nullable StoreEntry<Object, Object> entry) {}
