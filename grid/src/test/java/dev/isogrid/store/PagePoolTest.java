package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PagePoolTest {
  private static final long MAX_BYTES = 8 << 20;

  private final PagePool pool = new PagePool(MAX_BYTES);

  @Test
  void allocate_ofRandomSizes_givesPagesThatDoNotOverlap() {
    Seeds.run(
        8,
        random -> {
          PagePool filled = new PagePool(MAX_BYTES);
          List<Page> pages = new ArrayList<>();
          List<Byte> marks = new ArrayList<>();
          for (int step = 0; step < 3_000; step++) {
            if (pages.isEmpty() || random.nextInt(5) < 3) {
              byte mark = (byte) random.nextInt();
              Page page = allocateOrNull(filled, 1 + random.nextInt(random.nextInt(40_000) + 1));
              if (page != null) {
                page.memory.asSlice(page.base, page.size()).fill(mark);
                pages.add(page);
                marks.add(mark);
              }
            } else {
              int chosen = random.nextInt(pages.size());
              checkAndFree(filled, pages.remove(chosen), marks.remove(chosen));
            }
          }
          assertEquals(pages.stream().mapToLong(Page::size).sum(), filled.use().allocatedBytes());
          for (int i = 0; i < pages.size(); i++) {
            checkAndFree(filled, pages.get(i), marks.get(i));
          }
          assertEquals(0, filled.use().allocatedBytes());
          assertEquals(0, filled.use().reservedBytes());
        });
  }

  private static @Nullable Page allocateOrNull(PagePool pool, int bytes) {
    try {
      Page page = pool.allocate(bytes, false);
      assertTrue(page.size() >= bytes && page.size() < bytes + Region.UNIT_BYTES);
      assertTrue(pool.use().reservedBytes() <= MAX_BYTES);
      return page;
    } catch (MemoryFullException e) {
      return null;
    }
  }

  private static void checkAndFree(PagePool pool, Page page, byte mark) {
    for (long at = 0; at < page.size(); at++) {
      assertEquals(mark, page.memory.get(Native.BYTE, page.base + at));
    }
    pool.free(page);
  }

  @Test
  void allocate_beyondTheLimit_isRefusedAndNamesIt() {
    List<Page> pages = new ArrayList<>();
    MemoryFullException full =
        assertThrows(
            MemoryFullException.class,
            () -> {
              while (true) {
                pages.add(pool.allocate(32 << 10, false));
              }
            });

    assertTrue(full.toString().contains("limit=" + MAX_BYTES), full.toString());
    assertTrue(pool.use().reservedBytes() <= MAX_BYTES);
    assertTrue(pool.use().allocatedBytes() > MAX_BYTES * 8 / 10, "used too little of it");
    pages.add(pool.allocate(32 << 10, true)); // compaction has a reserve
    pages.forEach(pool::free);
    assertEquals(0, pool.use().reservedBytes());
  }

  @Test
  void allocate_ofMoreThanARegion_getsOneOfItsOwn() {
    Page page = pool.allocate(5 << 20, false);

    assertEquals(5 << 20, page.size());
    assertThrows(MemoryFullException.class, () -> pool.allocate(5 << 20, false));
    pool.free(page);
    assertEquals(0, pool.use().reservedBytes());
  }

  @Test
  void allocate_ofLargePagesOfOneSize_reservesLittleMoreThanTheyHave() {
    for (int bytes : new int[] {70_000, 150_000, 260_000, 400_000, 530_000, 1_000_192}) {
      PagePool filled = new PagePool(1 << 30);
      for (int i = 0; i < 64; i++) {
        filled.allocate(bytes, false);
      }

      long allocated = filled.use().allocatedBytes();
      long unused = filled.use().reservedBytes() - allocated;
      assertTrue(unused <= allocated / 16, bytes + " B: unused=" + unused + " of " + allocated);
    }
  }

  @Test
  void retire_ofPinnedPage_freesItWithTheLastPin() {
    Page page = pool.allocate(5000, false);
    assertTrue(page.pin());
    assertTrue(page.pin());

    page.retire(pool);
    page.unpin(pool);

    assertEquals(page.size(), pool.use().allocatedBytes());
    assertTrue(!page.pin(), "pinned although it is retired");
    page.unpin(pool);
    assertEquals(0, pool.use().allocatedBytes());
  }
}
