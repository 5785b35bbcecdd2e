package dev.isogrid.engine;

/** A write that was begun by {@link CacheEngine#tryBegin}, for {@link CacheEngine#finish}. */
public sealed interface PendingWrite permits SentWrite, UnforcedWrite {}
