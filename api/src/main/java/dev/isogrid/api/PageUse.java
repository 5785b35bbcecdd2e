package dev.isogrid.api;

/**
 * The memory of one page of an off-heap cache, in bytes.
 *
 * @param allocatedBytes the size of the page
 * @param usedBytes the part that entries were written to, from its beginning
 * @param liveBytes the part of it that present entries take
 */
public record PageUse(long allocatedBytes, long usedBytes, long liveBytes) {}
