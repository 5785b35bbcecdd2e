package dev.isogrid.stream;

import dev.isogrid.api.Cache;
import dev.isogrid.engine.CacheEngine;
import java.util.function.Supplier;

/**
 * A cache for streams.
 *
 * @param engine its entries
 * @param form their conversion for users
 * @param user the cache for users on this node
 */
public record StreamCache<K, V, S, T>(
    CacheEngine<S, T> engine, EntryForm<K, V, S, T> form, Supplier<Cache<K, V>> user) {}
