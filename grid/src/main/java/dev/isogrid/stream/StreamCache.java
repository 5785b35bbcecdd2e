package dev.isogrid.stream;

import dev.isogrid.api.Cache;
import dev.isogrid.engine.CacheEngine;
import java.util.function.Supplier;

/**
 * A cache as streams need it.
 *
 * @param engine its entries
 * @param form what they mean to users
 * @param user the cache as users on this node have it
 */
public record StreamCache<K, V, S, T>(
    CacheEngine<S, T> engine, EntryForm<K, V, S, T> form, Supplier<Cache<K, V>> user) {}
