package dev.isogrid.store;

import dev.isogrid.api.PageUse;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pages that hold the entries of an off-heap segment. Small entries are appended to an open
 * page; a large one gets a page of its own. Writers hold the segment's lock. See {@link
 * OffHeapSegment} for the picture and the concurrency.
 *
 * <p>An address is the number of a page, from 1 on, and an offset in it.
 */
final class EntryPages {
  /** The largest page for small entries: what one step of compaction copies. */
  static final int PAGE_MAX = 1 << EntryPages.OFFSET_BITS;

  /** Entries of more bytes get a page of their own. */
  static final int SMALL_MAX = 4096;

  private static final int OFFSET_BITS = 15;
  private static final int OFFSET_MASK = PAGE_MAX - 1;
  private static final int NUMBER_MAX = (1 << (SlotBlock.ADDRESS_BITS - OFFSET_BITS)) - 1;

  private static final int PAGE_MIN = 512;

  /** New pages are this part of the segment, so that the open one's empty rest is little. */
  private static final int PAGE_FRACTION = 24;

  /** So many entries of a size leave little of a page of any size empty. */
  private static final int WELL_FILLED = 32;

  /** What dead entries and unused rests may take of the pages before they are compacted. */
  private static final int WASTE_FRACTION = 12;

  /** Pages that are looked at for the one that is worth compacting most. */
  private static final int VICTIM_CANDIDATES = 256;

  /** What one hold of the lock moves out of vacated regions: about 30 microseconds. */
  private static final long VACATED_BYTES = 256 << 10;

  /** A page must have so much to gain to be compacted. */
  private static final int GAIN_FRACTION = 16;

  private final PagePool pool;
  private final Occupancy occupancy;

  /** By their numbers; replaced when it grows. Read by anyone, who then validates. */
  private @Nullable Page[] pages = new Page[4];

  /** Where the pages begin in their memory, by their numbers; as {@link #pages}. */
  private long[] starts = new long[4];

  /** The memory that the pages are in, by their numbers; as {@link #pages}. */
  private @Nullable MemorySegment[] memories = new MemorySegment[4];

  private int[] freeNumbers = new int[4];
  private int freeNumberCount;
  private int numbersUsed = 1;
  private int pageCount;

  /** The page that is appended to; 0 if there is none. */
  private int open;

  private int victimCursor = 1;
  private long smallBytes;
  private long smallLiveBytes;
  private long largeBytes;
  private long largeLiveBytes;

  EntryPages(PagePool pool, Occupancy occupancy) {
    this.pool = pool;
    this.occupancy = occupancy;
  }

  static long address(int number, int offset) {
    return (long) number << OFFSET_BITS | offset;
  }

  static int number(long address) {
    return (int) (address >>> OFFSET_BITS);
  }

  static int offset(long address) {
    return (int) address & OFFSET_MASK;
  }

  static boolean isLarge(int size) {
    return size > SMALL_MAX;
  }

  /** The page of an address. Any thread; what a torn address gives is arbitrary or null. */
  @Nullable Page page(long address) {
    return pages[number(address)];
  }

  /**
   * The memory of an address of a small entry; null of a large one. Any thread, as {@link #page}:
   * it is found with less memory touched.
   */
  @Nullable MemorySegment memory(long address) {
    return memories[number(address)];
  }

  /** Where in its memory a small entry begins. Any thread, as {@link #page}. */
  long start(long address) {
    return starts[number(address)] + offset(address);
  }

  @Nullable Page pageOf(int number) {
    return pages[number];
  }

  private Page known(int number) {
    return Objects.requireNonNull(pages[number]);
  }

  /** One more than the greatest number of a page. */
  int numbersUsed() {
    return numbersUsed;
  }

  /** What all addresses given out since the last {@link #clear} are below. */
  long addressEnd() {
    return address(numbersUsed, 0);
  }

  /**
   * Where the next entry of a size will be.
   *
   * @throws MemoryFullException if there is no memory for it; nothing is changed then
   */
  long place(int size, boolean forCompaction) {
    checkNumbers();
    if (isLarge(size)) {
      Page page = pool.allocate(size, forCompaction, occupancy);
      page.own = true;
      largeBytes += page.size();
      return address(add(page), 0);
    }
    Page page = pages[open];
    if (page == null || page.used + size > page.size()) {
      page = newPage(size, forCompaction);
      smallBytes += page.size();
      Page before = pages[open];
      int beforeNumber = open;
      open = add(page);
      if (before != null && before.live == 0) {
        free(beforeNumber, before);
      }
    }
    return address(open, page.used);
  }

  private void checkNumbers() {
    if (freeNumberCount == 0 && numbersUsed > NUMBER_MAX) {
      throw new MemoryFullException(
          "segment full: pages=%d; give the cache more segments".formatted(pageCount));
    }
  }

  /**
   * Where an entry will be whose value is in pieces, which its page keeps from now on.
   *
   * @param sizeWithoutValue what is in the page
   * @throws MemoryFullException if there is no memory for it; nothing is changed then
   */
  long place(int sizeWithoutValue, ValuePieces value) {
    checkNumbers();
    Page page = pool.allocate(sizeWithoutValue, false, occupancy);
    page.own = true;
    page.keep(value);
    largeBytes += page.heldBytes();
    return address(add(page), 0);
  }

  /** A page for entries of a size; a smaller one than usual where free memory is in pieces. */
  private Page newPage(int entrySize, boolean forCompaction) {
    long bytes = pageSize(entrySize);
    while (true) {
      try {
        return pool.allocate(bytes, forCompaction, occupancy);
      } catch (MemoryFullException full) {
        if (bytes / 2 < entrySize) {
          throw full;
        }
        bytes /= 2;
      }
    }
  }

  /** The size of a new page: one that a few entries fill well, many of them in any case. */
  private long pageSize(int entrySize) {
    long aim = Math.clamp(smallBytes / PAGE_FRACTION, PAGE_MIN, PAGE_MAX);
    return entrySize <= aim / WELL_FILLED
        ? PagePool.roundUp(aim)
        : Math.max(aim / entrySize, 1) * entrySize;
  }

  /** Gives back a place that is not needed after all. */
  void abandon(long address, int size) {
    if (isLarge(size)) {
      int number = number(address);
      largeBytes -= known(number).heldBytes();
      remove(number);
    }
  }

  /** Notes that an entry was written to the place that was just given. */
  void written(long address, int size, long expiryMillis) {
    Page page = known(number(address));
    page.used = offset(address) + size;
    page.live += size;
    page.earliestExpiryMillis = Math.min(page.earliestExpiryMillis, expiryMillis);
    if (isLarge(size)) {
      largeLiveBytes += size;
    } else {
      smallLiveBytes += size;
    }
  }

  /** Notes that an entry is gone. The index must not lead to it any more. */
  void dead(long address, int size) {
    int number = number(address);
    Page page = known(number);
    assert page.live >= size;
    page.live -= size;
    if (isLarge(size)) {
      largeLiveBytes -= size;
      largeBytes -= page.heldBytes();
      remove(number);
    } else {
      smallLiveBytes -= size;
      if (page.live == 0) {
        if (number == open) {
          page.used = 0;
          page.earliestExpiryMillis = Long.MAX_VALUE;
        } else {
          free(number, page);
        }
      }
    }
  }

  private void free(int number, Page page) {
    smallBytes -= page.size();
    remove(number);
  }

  private int add(Page page) {
    int number = freeNumberCount > 0 ? freeNumbers[--freeNumberCount] : numbersUsed++;
    if (number >= pages.length) {
      Page[] longer = Arrays.copyOf(pages, pages.length * 2);
      long[] longerStarts = Arrays.copyOf(starts, longer.length);
      MemorySegment[] longerMemories = Arrays.copyOf(memories, longer.length);
      // a reader whose stamp does not change meanwhile must not see them before their elements
      VarHandle.storeStoreFence();
      pages = longer;
      starts = longerStarts;
      memories = longerMemories;
    }
    set(number, page);
    pageCount++;
    occupancy.pageChanged(page.heldBytes());
    return number;
  }

  private void set(int number, Page page) {
    pages[number] = page;
    starts[number] = page.base;
    memories[number] = page.own ? null : page.memory;
  }

  private void remove(int number) {
    Page page = known(number);
    pages[number] = null;
    memories[number] = null;
    pageCount--;
    if (freeNumberCount == freeNumbers.length) {
      freeNumbers = Arrays.copyOf(freeNumbers, freeNumberCount * 2);
    }
    freeNumbers[freeNumberCount++] = number;
    if (number == open) {
      open = 0;
    }
    occupancy.pageChanged(-page.heldBytes());
    page.retire(pool);
  }

  /**
   * Moves pages out of regions that are vacated; their addresses stay.
   *
   * @param from the number to begin with
   * @param owner the segment whose readers are told
   * @return the number to go on with, or -1 if nothing is left to do
   */
  int vacate(int from, Segment<?, ?> owner) {
    long left = VACATED_BYTES;
    for (int number = Math.max(from, 1); number < numbersUsed; number++) {
      Page page = pages[number];
      if (page != null && page.region.isVacating()) {
        if (left <= 0) {
          return number;
        }
        Page moved = pool.moved(page);
        if (moved == null) {
          continue; // there may be room for smaller ones
        }
        moved.become(page);
        owner.beginMoves();
        set(number, moved);
        owner.endMoves();
        left -= page.size();
        page.retire(pool);
      }
    }
    return -1;
  }

  /** Frees all pages. The index must not lead to any entry any more. */
  void clear() {
    for (int number = 1; number < numbersUsed; number++) {
      if (pages[number] != null) {
        remove(number);
      }
    }
    pages = new Page[4];
    starts = new long[4];
    memories = new MemorySegment[4];
    freeNumbers = new int[4];
    freeNumberCount = 0;
    numbersUsed = 1;
    smallBytes = 0;
    smallLiveBytes = 0;
    largeBytes = 0;
    largeLiveBytes = 0;
  }

  /** The number of a page that is worth compacting now, or 0. */
  int victim() {
    long waste = smallBytes - smallLiveBytes;
    long allowed = smallBytes / WASTE_FRACTION + 2L * PAGE_MIN;
    Page openPage = pages[open];
    if (openPage != null) {
      waste -= openPage.size() - openPage.used;
    }
    if (waste <= allowed) {
      return 0;
    }
    int best = 0;
    long bestGain = 0; // of 2^16 of its size
    int look = Math.min(VICTIM_CANDIDATES, numbersUsed);
    for (int i = 0; i < look; i++) {
      victimCursor = victimCursor + 1 < numbersUsed ? victimCursor + 1 : 1;
      Page page = pages[victimCursor];
      if (page != null && victimCursor != open && !page.own) {
        long gain = ((page.size() - page.live) << 16) / page.size();
        if (gain > bestGain) {
          bestGain = gain;
          best = victimCursor;
        }
      }
    }
    return bestGain >= (1 << 16) / GAIN_FRACTION ? best : 0;
  }

  long allocatedBytes() {
    return smallBytes + largeBytes;
  }

  long liveBytes() {
    return smallLiveBytes + largeLiveBytes;
  }

  int pageCount() {
    return pageCount;
  }

  /** What dead entries take; O(pages). */
  long deadBytes() {
    long used = 0;
    for (Page page : pages) {
      used += page == null ? 0 : page.used;
    }
    return used - liveBytes();
  }

  /** The earliest time at which an entry may expire; O(pages). */
  long earliestExpiryMillis() {
    long earliest = Long.MAX_VALUE;
    for (Page page : pages) {
      earliest = page == null ? earliest : Math.min(earliest, page.earliestExpiryMillis);
    }
    return earliest;
  }

  /** All pages, for reports. */
  List<PageUse> report() {
    List<PageUse> report = new ArrayList<>(pageCount);
    for (Page page : pages) {
      if (page != null) {
        report.add(new PageUse(page.heldBytes(), page.used, page.live));
      }
    }
    return report;
  }
}
