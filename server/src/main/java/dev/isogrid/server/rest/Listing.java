package dev.isogrid.server.rest;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;

/**
 * A request for the keys or entries of a cache.
 *
 * @param engine the cache
 * @param keysOnly whether values are left out
 * @param metadata whether times and versions are added to entries
 * @param limit the most entries to send, or a negative number for all
 */
record Listing(
    CacheEngine<BinaryKey, Bytes> engine, boolean keysOnly, boolean metadata, long limit) {}
