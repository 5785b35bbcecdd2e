package dev.isogrid.cluster;

/**
 * The losses of a transport, since it was opened.
 *
 * @param malformed messages that came and were none
 * @param inboxOverflows messages that came when too many waited already
 * @param streamOverflows messages of streams that were not sent since too many waited for their
 *     receiver
 * @param unconfirmed messages that were not sent since their receiver had confirmed too few
 * @param failures messages that JGroups did not take
 * @param connections connections that were refused, or had garbage, or broke
 */
public record TransportCounters(
    long malformed,
    long inboxOverflows,
    long streamOverflows,
    long unconfirmed,
    long failures,
    long connections) {}
