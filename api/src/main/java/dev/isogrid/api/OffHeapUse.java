package dev.isogrid.api;

/**
 * The off-heap memory of a node, in bytes.
 *
 * @param maxBytes the limit
 * @param reservedBytes what the node holds of the operating system's memory; never over the limit
 * @param allocatedBytes the part of it that caches use; the rest is kept for their next pages
 */
public record OffHeapUse(long maxBytes, long reservedBytes, long allocatedBytes) {}
