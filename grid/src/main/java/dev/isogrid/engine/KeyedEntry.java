package dev.isogrid.engine;

import dev.isogrid.store.DetachedEntry;

/**
 * An entry with its key.
 *
 * @param key the key
 * @param entry the rest
 */
record KeyedEntry(EntryKey key, DetachedEntry entry) {}
