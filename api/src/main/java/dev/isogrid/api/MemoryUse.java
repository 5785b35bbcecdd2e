package dev.isogrid.api;

/**
 * The memory of a cache, or of one of its segments, on this node, in bytes.
 *
 * <p>Off-heap the numbers are exact: {@code allocatedBytes} is what freeing the cache gives back.
 * For bytes on the heap they are computed from the sizes of the arrays; for heap objects they are
 * the container's own cost, without the keys and values, which may be shared with others.
 *
 * @param allocatedBytes all memory of the entries and their index, slack included
 * @param liveBytes the part of it that present entries take, expired ones that nobody noticed yet
 *     included
 * @param deadBytes the part of it that removed or replaced entries still take
 * @param indexBytes the part of it that the index takes
 * @param pages pages and separately kept large entries; 0 on the heap
 * @param dictionaryBytes dictionaries that values are compressed with, about; not part of the
 *     allocated bytes, and of the whole cache only
 */
public record MemoryUse(
    long allocatedBytes,
    long liveBytes,
    long deadBytes,
    long indexBytes,
    long pages,
    long dictionaryBytes) {

  /** Nothing. */
  public static final MemoryUse NONE = new MemoryUse(0, 0, 0, 0, 0, 0);

  /** The sum of both. */
  public MemoryUse plus(MemoryUse other) {
    return new MemoryUse(
        allocatedBytes + other.allocatedBytes,
        liveBytes + other.liveBytes,
        deadBytes + other.deadBytes,
        indexBytes + other.indexBytes,
        pages + other.pages,
        dictionaryBytes + other.dictionaryBytes);
  }
}
