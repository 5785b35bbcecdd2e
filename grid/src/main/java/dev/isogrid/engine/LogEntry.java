package dev.isogrid.engine;

import org.jspecify.annotations.Nullable;

/**
 * A write in the order of its segment: the effect, not the command.
 *
 * @param seq its place in the order, over all epochs, from 1
 * @param version the version of the entry that it makes
 * @param key the key
 * @param changes false if it only records that an operation was done
 * @param value the new value, or null for a removal
 * @param id the operation
 * @param ackedUpTo the operations of the session up to this number are done with
 * @param result the operation's answer
 */
public record LogEntry(
    long seq,
    long version,
    Object key,
    boolean changes,
    @Nullable Object value,
    OperationId id,
    long ackedUpTo,
    @Nullable Object result) {}
