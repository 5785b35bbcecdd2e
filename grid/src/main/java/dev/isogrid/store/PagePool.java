package dev.isogrid.store;

import dev.isogrid.api.OffHeapUse;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The off-heap memory of a node, shared by all its caches, within one limit. Thread-safe.
 *
 * <p>Memory comes from the operating system in {@link Region}s and goes to the caches in {@link
 * Page}s of any size. A region without pages is given back once the rest has enough to spare. Where
 * much is free but in pieces, the sparsest regions are vacated: whoever owns their pages moves
 * them. What the pool reserves is what the process holds: the JVM zeroes, and so touches, every
 * region.
 */
public final class PagePool implements Room {
  /** The smallest region: what the first entry of a node costs. */
  static final int REGION_MIN = 256 << 10;

  /**
   * The largest region of a small pool; what the allocator adds makes it 1 MB. Zeroing it is the
   * longest pause that a write can meet here, about half a millisecond on an idle machine.
   */
  private static final int REGION_MAX = (1 << 20) - Region.UNIT_BYTES;

  /** Regions are at most this part of what is reserved already, so that slack stays below 2 %. */
  private static final int REGION_FRACTION = 64;

  /**
   * A region that is made for a page of more than this part of it takes a whole number of such
   * pages: few others could use what is left behind them.
   */
  private static final int FITTED_FRACTION = 16;

  /** So that a pool has at most about this many regions that a search goes through. */
  private static final int REGIONS_AIM = 16_384;

  /** Free memory up to this part of the reserved is kept for the next pages. */
  private static final int SPARE_FRACTION = 32;

  /** Pages of this size on get a region of their own: in others they would leave large holes. */
  private static final int OWN_REGION_MIN = 1 << 20;

  /** Free memory beyond this part of the reserved makes regions be vacated. */
  private static final int VACATE_FRACTION = 24;

  /** Of what is free so much is given back at once; what remains lets pages of any size move. */
  private static final int VACATED_FRACTION = 4;

  /** Less free memory is not worth moving pages for. */
  private static final long VACATE_MIN = 4 << 20;

  /** After vacating in vain the allocated bytes must change by this part before the next try. */
  private static final int VAIN_FRACTION = 64;

  /** Memory that only compaction gets, so that a full pool can still be tidied up. */
  private static final long COMPACTION_RESERVE = 1 << 20;

  /** The compaction's part of a small pool. */
  private static final int COMPACTION_FRACTION = 16;

  /** The part of the memory that is held back for writes that other nodes decided on. */
  private static final int DECIDED_FRACTION = 32;

  /**
   * The part of the memory that only small caches get, so that a cache without a bound can't keep
   * all others from writing.
   */
  private static final int SPARED_FRACTION = 16;

  /** A cache is small up to this part of the memory. */
  private static final int SMALL_FRACTION = 64;

  /**
   * Below this limit nothing is spared: a page per segment would be more than a small cache has.
   */
  private static final long SPARING_MIN = 16 << 20;

  private final long maxBytes;
  private final ReentrantLock lock = new ReentrantLock();

  /** Of writes that were accepted and are not stored yet. */
  private final AtomicLong promisedBytes = new AtomicLong();

  /** A buffer that whoever walks a page may borrow. */
  private final AtomicReference<byte @Nullable []> walkBuffer = new AtomicReference<>();

  /** Guarded by the lock. */
  private final List<Region> regions = new ArrayList<>();

  /** Guarded by the lock. */
  private long reservedBytes;

  /** Guarded by the lock. */
  private long allocatedBytes;

  /** Bytes given back to the allocator and not yet asked for. Guarded by the lock. */
  private long returnedBytes;

  /** What may be reserved after vacating if that is not to be in vain. Guarded by the lock. */
  private long vacatedBytes;

  /** The allocated bytes when vacating was in vain, or -1. Guarded by the lock. */
  private long vainBytes = -1;

  /**
   * Begins with nothing.
   *
   * @param maxBytes the limit of what is reserved
   */
  public PagePool(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** What is reserved and allocated at this moment. */
  public OffHeapUse use() {
    lock.lock();
    try {
      return new OffHeapUse(maxBytes, reservedBytes, allocatedBytes);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isLimited() {
    return true;
  }

  @Override
  public boolean isNearlyFull() {
    return !hasSpare(maxBytes / DECIDED_FRACTION);
  }

  @Override
  public void promise(long bytes) {
    promisedBytes.addAndGet(bytes);
  }

  @Override
  public boolean hasSpare(long bytes) {
    return hasSpare(bytes, 0);
  }

  /** The memory as one cache may use it. */
  Room roomOf(Occupancy cache) {
    return new CacheRoom(cache);
  }

  /** The memory as one cache may use it. Thread-safe. */
  private final class CacheRoom implements Room {
    private final Occupancy cache;

    CacheRoom(Occupancy cache) {
      this.cache = cache;
    }

    @Override
    public boolean isLimited() {
      return true;
    }

    @Override
    public boolean hasSpare(long bytes) {
      return PagePool.this.hasSpare(bytes, sparedFrom(cache, bytes));
    }

    @Override
    public boolean isNearlyFull() {
      return !PagePool.this.hasSpare(maxBytes / DECIDED_FRACTION, sparedFrom(cache, 0));
    }

    @Override
    public void promise(long bytes) {
      PagePool.this.promise(bytes);
    }
  }

  /** The memory that is kept for other caches if a cache gets some bytes more. */
  private long sparedFrom(Occupancy cache, long bytes) {
    boolean isSmall = cache.pageBytes() + bytes <= maxBytes / SMALL_FRACTION;
    return isSmall || maxBytes < SPARING_MIN ? 0 : maxBytes / SPARED_FRACTION;
  }

  private boolean hasSpare(long bytes, long spared) {
    lock.lock();
    try {
      long heldBack = compactionReserve() + maxBytes / DECIDED_FRACTION + spared;
      return allocatedBytes + promisedBytes.get() + bytes <= maxBytes - heldBack;
    } finally {
      lock.unlock();
    }
  }

  /** What is held back so that pages can be emptied. */
  private long compactionReserve() {
    return Math.min(COMPACTION_RESERVE, maxBytes / COMPACTION_FRACTION);
  }

  /**
   * A new page; its content is arbitrary.
   *
   * @param bytes its least size; rounded up to units
   * @param forCompaction whether it is used to free others
   * @throws MemoryFullException if the limit does not allow it
   */
  Page allocate(long bytes, boolean forCompaction) {
    return allocate(bytes, forCompaction ? 0 : compactionReserve());
  }

  /**
   * As {@link #allocate(long, boolean)}, for entries of a cache. A large cache that decides alone
   * on its writes does not get the memory that is spared for small ones.
   *
   * @throws MemoryFullException if the limit does not allow it
   */
  Page allocate(long bytes, boolean forCompaction, Occupancy cache) {
    if (forCompaction || !cache.decidesAlone()) {
      return allocate(bytes, forCompaction);
    }
    return allocate(bytes, compactionReserve() + sparedFrom(cache, roundUp(bytes)));
  }

  private Page allocate(long bytes, long reserve) {
    long size = roundUp(bytes);
    lock.lock();
    try {
      if (allocatedBytes + size <= maxBytes - reserve) {
        Page page = size >= OWN_REGION_MIN ? inOwnRegion(size) : null;
        if (page == null) {
          page = find(size);
        }
        if (page == null && addRegion(size)) {
          page = find(size);
        }
        if (page != null) {
          allocatedBytes += size;
          return page;
        }
      }
      throw new MemoryFullException(
          "off-heap memory full: limit=%d B, reserved=%d B, allocated=%d B, wanted=%d B"
              .formatted(maxBytes, reservedBytes, allocatedBytes, size));
    } finally {
      lock.unlock();
    }
  }

  /**
   * A new page with a region of its own, whatever its size; null if the limit does not allow it.
   *
   * @param bytes its least size; rounded up to units
   */
  @Nullable Page tryAllocateAlone(long bytes) {
    long size = roundUp(bytes);
    lock.lock();
    try {
      Page page = allocatedBytes + size <= maxBytes ? inOwnRegion(size) : null;
      allocatedBytes += page == null ? 0 : size;
      return page;
    } finally {
      lock.unlock();
    }
  }

  /** The size of a page that is asked for with a number of bytes. */
  static long roundUp(long bytes) {
    return bytes + Region.UNIT_BYTES - 1 & -Region.UNIT_BYTES;
  }

  private @Nullable Page find(long size) {
    int units = Math.toIntExact(size / Region.UNIT_BYTES);
    for (Region region : regions) {
      Page page = region.own || region.isVacating() ? null : region.allocate(units);
      if (page != null) {
        return page;
      }
    }
    return null;
  }

  private @Nullable Page inOwnRegion(long size) {
    if (!makeRoom(size)) {
      return null;
    }
    Region region = new Region(size, true);
    regions.add(region);
    reservedBytes += size;
    return region.allocate(Math.toIntExact(size / Region.UNIT_BYTES));
  }

  /** Gives empty regions back as long as one of a size would be over the limit. */
  private boolean makeRoom(long size) {
    for (int i = regions.size() - 1; i >= 0 && reservedBytes + size > maxBytes; i--) {
      if (regions.get(i).isEmpty()) {
        close(i);
      }
    }
    return reservedBytes + size <= maxBytes;
  }

  private void close(int index) {
    Region region = regions.remove(index);
    reservedBytes -= region.size();
    returnedBytes += region.size();
    region.close();
  }

  private boolean addRegion(long atLeast) {
    long max = Math.max(REGION_MAX, maxBytes / REGIONS_AIM);
    long wanted = Math.clamp(reservedBytes / REGION_FRACTION, REGION_MIN, max);
    long size = fitted(atLeast, Math.min(wanted, maxBytes - reservedBytes));
    if (reservedBytes + size > maxBytes) {
      size = roundUp(atLeast);
      if (!makeRoom(size)) {
        return false;
      }
    }
    regions.add(new Region(size, false));
    reservedBytes += size;
    return true;
  }

  /** The size of a region that is made for a page. */
  private static long fitted(long page, long wanted) {
    if (page * FITTED_FRACTION <= wanted) {
      return roundUp(wanted);
    }
    return Math.max(1, wanted / page) * page;
  }

  /** Takes a page back. It must not be used any more by the caller. */
  void free(Page page) {
    lock.lock();
    try {
      Region region = page.region;
      region.free(page);
      allocatedBytes -= page.size();
      if (region.isEmpty()) {
        closeEmptyRegions();
      }
    } finally {
      lock.unlock();
    }
    ValuePieces pieces = page.pieces;
    if (pieces != null) {
      pieces.letGo();
    }
  }

  /** Gives empty regions back, but for what is kept as a spare. */
  private void closeEmptyRegions() {
    for (int i = regions.size() - 1; i >= 0; i--) {
      Region region = regions.get(i);
      long spare = reservedBytes - allocatedBytes - region.size();
      boolean isSpare =
          !region.own
              && !region.isVacating()
              && allocatedBytes > 0
              && spare < reservedBytes / SPARE_FRACTION;
      if (region.isEmpty() && !isSpare) {
        close(i);
      }
    }
  }

  /** Whether so much is free, but in pieces, that regions are to be vacated. */
  public boolean isScattered() {
    lock.lock();
    try {
      long free = reservedBytes - allocatedBytes;
      boolean isVain = Math.abs(allocatedBytes - vainBytes) < reservedBytes / VAIN_FRACTION;
      return free >= Math.max(VACATE_MIN, reservedBytes / VACATE_FRACTION) && !isVain;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Chooses regions to be given back, if much is free but in pieces. Their pages are to be moved by
   * {@link #moved}; then {@link #endVacating} is to follow.
   *
   * @return whether there are any
   */
  public boolean beginVacating() {
    lock.lock();
    try {
      if (!isScattered()) {
        return false;
      }
      long free = reservedBytes - allocatedBytes;
      List<Region> sparsest = new ArrayList<>(regions);
      sparsest.removeIf(region -> region.own);
      sparsest.sort(
          Comparator.comparingDouble((Region region) -> (double) region.freeBytes() / region.size())
              .reversed());
      long left = free / VACATED_FRACTION;
      vacatedBytes = reservedBytes - left / 2;
      for (Region region : sparsest) {
        if (left > 0) {
          left -= region.size();
          region.setVacating(true);
        }
      }
      closeEmptyRegions();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Lets regions that are not empty yet be used again. */
  public void endVacating() {
    lock.lock();
    try {
      for (Region region : regions) {
        region.setVacating(false);
      }
      vainBytes = reservedBytes > vacatedBytes ? allocatedBytes : -1;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A new page with the content of one in a region that is vacated; it is to take that one's place.
   *
   * @return null if there is no room for it in the other regions
   */
  @Nullable Page moved(Page page) {
    Page target;
    lock.lock();
    try {
      target = find(page.size());
      if (target == null) {
        return null;
      }
      allocatedBytes += target.size();
    } finally {
      lock.unlock();
    }
    MemorySegment.copy(page.memory, page.base, target.memory, target.base, page.size());
    return target;
  }

  /** The bytes that were given back since the last call: the allocator may still keep them. */
  public long takeReturnedBytes() {
    lock.lock();
    try {
      long bytes = returnedBytes;
      returnedBytes = 0;
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /** A copy of the beginning of a page, in a buffer to be given back by {@link #giveBack}. */
  byte[] copyOf(Page page, int length) {
    byte[] buffer = walkBuffer.getAndSet(null);
    if (buffer == null || buffer.length < length) {
      buffer = new byte[Math.max(length, EntryPages.PAGE_MAX)];
    }
    MemorySegment.copy(page.memory, Native.BYTE, page.base, buffer, 0, length);
    return buffer;
  }

  void giveBack(byte[] buffer) {
    walkBuffer.set(buffer);
  }
}
