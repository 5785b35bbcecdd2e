package dev.isogrid.engine;

/**
 * Names an operation over all attempts to get it done.
 *
 * @param session that of the caller
 * @param number 1 for the first operation of the session, then one more each
 */
public record OperationId(SessionId session, long number) {}
