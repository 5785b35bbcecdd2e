package dev.isogrid.server.security;

import dev.isogrid.api.CacheConfig;
import org.jspecify.annotations.Nullable;

/**
 * What a client needs to run a task.
 *
 * @param onServer bits of {@link Permission} that are about no cache
 * @param cache the configuration of the cache that the task is about, or null
 * @param onCache bits of {@link Permission} on that cache
 * @param role that the task asks for, or null
 */
public record TaskNeeds(
    int onServer, @Nullable CacheConfig cache, int onCache, @Nullable String role) {}
