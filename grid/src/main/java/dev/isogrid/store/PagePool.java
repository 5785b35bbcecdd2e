package dev.isogrid.store;

import dev.isogrid.api.OffHeapUse;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The off-heap memory of a node, shared by all its caches, within one limit. Thread-safe.
 *
 * <p>Memory comes from the operating system in {@link Region}s and goes to the caches in {@link
 * Page}s of any size. A region without pages is given back once the rest has enough to spare. What
 * the pool reserves is what the process holds: the JVM zeroes, and so touches, every region.
 */
public final class PagePool {
  /** The smallest region: what the first entry of a node costs. */
  static final int REGION_MIN = 256 << 10;

  /**
   * The largest region of a small pool; what the allocator adds makes it 2 MB. Zeroing it is the
   * longest pause that a write can meet here, about half a millisecond.
   */
  private static final int REGION_MAX = (2 << 20) - Region.UNIT_BYTES;

  /** Regions are at most this part of what is reserved already, so that slack stays below 2 %. */
  private static final int REGION_FRACTION = 64;

  /** So that a pool has at most about this many regions that a search goes through. */
  private static final int REGIONS_AIM = 4096;

  /** Free memory up to this part of the reserved is kept for the next pages. */
  private static final int SPARE_FRACTION = 32;

  /** Memory that only compaction gets, so that a full pool can still be tidied up. */
  private static final long COMPACTION_RESERVE = 1 << 20;

  /** The compaction's part of a small pool. */
  private static final int COMPACTION_FRACTION = 16;

  private final long maxBytes;
  private final ReentrantLock lock = new ReentrantLock();

  /** A buffer that whoever walks a page may borrow. */
  private final AtomicReference<byte @Nullable []> walkBuffer = new AtomicReference<>();

  /** Guarded by the lock. */
  private final List<Region> regions = new ArrayList<>();

  /** Guarded by the lock. */
  private long reservedBytes;

  /** Guarded by the lock. */
  private long allocatedBytes;

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

  /**
   * A new page; its content is arbitrary.
   *
   * @param bytes its least size; rounded up to units
   * @param forCompaction whether it is used to free others
   * @throws MemoryFullException if the limit does not allow it
   */
  Page allocate(long bytes, boolean forCompaction) {
    long size = roundUp(bytes);
    lock.lock();
    try {
      long reserve =
          forCompaction ? 0 : Math.min(COMPACTION_RESERVE, maxBytes / COMPACTION_FRACTION);
      if (allocatedBytes + size <= maxBytes - reserve) {
        Page page = find(size);
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

  /** The size of a page that is asked for with a number of bytes. */
  static long roundUp(long bytes) {
    return bytes + Region.UNIT_BYTES - 1 & -Region.UNIT_BYTES;
  }

  private @Nullable Page find(long size) {
    int units = Math.toIntExact(size / Region.UNIT_BYTES);
    for (Region region : regions) {
      Page page = region.allocate(units);
      if (page != null) {
        return page;
      }
    }
    return null;
  }

  private boolean addRegion(long atLeast) {
    long max = Math.max(REGION_MAX, maxBytes / REGIONS_AIM);
    long wanted = Math.clamp(reservedBytes / REGION_FRACTION, REGION_MIN, max);
    long size = roundUp(Math.max(atLeast, Math.min(wanted, maxBytes - reservedBytes)));
    if (reservedBytes + size > maxBytes) {
      size = roundUp(atLeast);
      if (reservedBytes + size > maxBytes) {
        return false;
      }
    }
    regions.add(new Region(size));
    reservedBytes += size;
    return true;
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
  }

  /** Gives empty regions back, but for what is kept as a spare. */
  private void closeEmptyRegions() {
    for (int i = regions.size() - 1; i >= 0; i--) {
      Region region = regions.get(i);
      long spare = reservedBytes - allocatedBytes - region.size();
      if (region.isEmpty() && (allocatedBytes == 0 || spare >= reservedBytes / SPARE_FRACTION)) {
        regions.remove(i);
        reservedBytes -= region.size();
        region.close();
      }
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
