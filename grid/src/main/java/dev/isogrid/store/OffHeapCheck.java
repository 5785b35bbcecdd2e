package dev.isogrid.store;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Walks the index and the pages of an off-heap segment and compares them. For tests: O(entries).
 */
final class OffHeapCheck {
  private final SlotIndex index;
  private final EntryPages pages;
  private final BinaryView view;
  private final Shower shower;
  private final Map<Integer, Integer> liveByPage = new HashMap<>();
  private int entries;
  private int mortals;
  private int lastTag = -1;
  private long indexBytes;

  OffHeapCheck(SlotIndex index, EntryPages pages, BinaryView view, Shower shower) {
    this.index = index;
    this.pages = pages;
    this.view = view;
    this.shower = shower;
  }

  /** Moves a window to the entry at an address. */
  @FunctionalInterface
  interface Shower {
    void show(long address, BinaryView view);
  }

  void check(int count, int mortalCount, long earliestMillis) {
    index.forEachBlock(this::checkBlock);
    Segment.check(entries == count, "count is wrong: " + count, entries);
    Segment.check(mortals == mortalCount, "mortal count is wrong: " + mortalCount, mortals);
    Segment.check(indexBytes == index.bytes(), "index bytes are wrong: " + index.bytes(), entries);
    checkPages(earliestMillis);
  }

  private void checkBlock(SlotBlock block) {
    int found = 0;
    boolean gapBefore = true;
    for (int position = 0; position < block.capacity; position++) {
      long slot = block.get(position);
      if (slot != 0) {
        found++;
        int tag = SlotBlock.tag(slot);
        int home = block.home(tag);
        Segment.check(tag >= lastTag, "tags are not in order", position);
        Segment.check(home <= position, "slot before its home", position);
        Segment.check(!gapBefore || home == position, "slot behind a gap, not at home", position);
        Segment.check(index.block(tag) == block, "slot in a wrong block", position);
        lastTag = tag;
        checkEntry(SlotBlock.address(slot), tag);
      }
      gapBefore = slot == 0;
    }
    Segment.check(found == block.count, "count of a block is wrong: " + block.count, found);
    entries += found;
    indexBytes += block.bytes();
  }

  private void checkEntry(long address, int tag) {
    shower.show(address, view);
    Segment.check(Segment.tag(view.keyHash()) == tag, "entry of another tag", tag);
    mortals += view.isMortal() ? 1 : 0;
    int number = EntryPages.number(address);
    Page page = Objects.requireNonNull(pages.pageOf(number));
    Segment.check(
        page.earliestExpiryMillis <= view.expiryMillis(), "expires before its page", number);
    liveByPage.merge(number, view.size(), Integer::sum);
  }

  private void checkPages(long earliestMillis) {
    long live = 0;
    for (int number = 1; number < pages.numbersUsed(); number++) {
      Page page = pages.pageOf(number);
      int found = liveByPage.getOrDefault(number, 0);
      if (page == null) {
        Segment.check(found == 0, "live entries in a page that is gone", number);
      } else {
        Segment.check(page.live == found, "live bytes are wrong: " + page.live, found);
        Segment.check(page.used <= page.heldBytes(), "page used beyond its end", number);
        Segment.check(
            page.earliestExpiryMillis >= earliestMillis, "earliest expiry is too late", number);
        live += found;
      }
    }
    Segment.check(live == pages.liveBytes(), "sum of live bytes is wrong", (int) live);
    Segment.check(
        pages.allocatedBytes() >= pages.liveBytes() + pages.deadBytes(), "too few bytes", 0);
  }
}
