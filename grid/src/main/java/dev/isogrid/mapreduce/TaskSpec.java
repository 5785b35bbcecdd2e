package dev.isogrid.mapreduce;

import dev.isogrid.api.Combiner;
import dev.isogrid.api.EntryFilter;
import dev.isogrid.api.Reducer;
import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a task for a node.
 *
 * @param cache the cache's name
 * @param mapper a {@link dev.isogrid.api.Mapper} or {@link dev.isogrid.api.BytesMapper}
 * @param keys the user's keys, serialisable; null for all
 * @param memoryMaxBytes 0 for the node's own choice
 * @param pairsCache the cache for pairs in flight; null for the task's own storage
 */
record TaskSpec(
    String cache,
    Serializable mapper,
    @Nullable Combiner<Object> combiner,
    @Nullable Reducer<Object, Object> reducer,
    @Nullable EntryFilter<Object, Object> filter,
    @Nullable Set<Object> keys,
    long memoryMaxBytes,
    @Nullable String pairsCache)
    implements Serializable {}
