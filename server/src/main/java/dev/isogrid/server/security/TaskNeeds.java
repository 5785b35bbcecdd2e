package dev.isogrid.server.security;

import dev.isogrid.api.CacheConfig;
import org.jspecify.annotations.Nullable;

/**
 * The permissions that a client needs to run a task.
 *
 * @param onServer bits of {@link Permission} that do not concern a cache
 * @param cache the configuration of the task's cache, or null
 * @param onCache bits of {@link Permission} on that cache
 * @param role the role that the task requires, or null
 */
public record TaskNeeds(
    int onServer, @Nullable CacheConfig cache, int onCache, @Nullable String role) {}
