package dev.isogrid.api;

/**
 * The off-heap memory of a node, in bytes.
 *
 * @param maxBytes the limit
 * @param reservedBytes the memory that the node has from the operating system; never over the limit
 * @param allocatedBytes the part of it that caches use; the rest is kept for their next pages
 */
public record OffHeapUse(long maxBytes, long reservedBytes, long allocatedBytes) {}
