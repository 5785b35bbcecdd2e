package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.PageUse;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.base.Seeds;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OffHeapSegmentTest extends SegmentContract<BinaryKey, Bytes> {
  OffHeapSegmentTest() {
    super(TextKind.OFF_HEAP);
  }

  private static MemoryUse memoryUse(Segment<?, ?> segment) {
    segment.lock();
    try {
      return segment.memoryUse();
    } finally {
      segment.unlock();
    }
  }

  /** One segment over a pool of a limited size, used by numbers as keys. */
  private static final class Limited {
    final PagePool pool;
    final Occupancy occupancy = new Occupancy(true);
    final Container<BinaryKey, Bytes> container;
    final Segment<BinaryKey, Bytes> segment;
    final EntryView<BinaryKey, Bytes> view;

    Limited(long maxBytes) {
      pool = new PagePool(maxBytes);
      container = Container.ofOffHeap(1, 1, new FakeEnv().env().epochClock(), occupancy, pool);
      segment = container.segmentAt(0);
      view = container.newView();
    }

    static BinaryKey key(int number) {
      return BinaryKey.of(("key" + number).getBytes(StandardCharsets.UTF_8));
    }

    void put(int number, byte[] value) {
      BinaryKey key = key(number);
      Effect<Bytes> effect = new Effect<>();
      effect.store(Bytes.of(value), Expiry.UNLIMITED, Expiry.UNLIMITED);
      segment.lock();
      try {
        segment.locate(key, key.hash(), view);
        segment.applyLocated(key, key.hash(), view, effect, segment.nextVersion());
      } finally {
        segment.unlock();
      }
    }

    boolean remove(int number) {
      BinaryKey key = key(number);
      segment.lock();
      try {
        segment.locate(key, key.hash(), view);
        boolean present = view.isPresent();
        if (present) {
          segment.removeLocated();
        }
        return present;
      } finally {
        segment.unlock();
      }
    }

    byte @Nullable [] get(int number) {
      BinaryKey key = key(number);
      byte[] @Nullable [] taken = new byte[1][];
      segment.read(key, key.hash(), view, entry -> taken[0] = entry.value().toByteArray());
      return taken[0];
    }

    void checkInvariants() {
      segment.lock();
      try {
        segment.checkInvariants(container.newView());
      } finally {
        segment.unlock();
      }
    }
  }

  private static byte[] value(int number, int size) {
    byte[] value = new byte[size];
    for (int i = 0; i < size; i++) {
      value[i] = (byte) (number * 31 + i);
    }
    return value;
  }

  @Test
  void put_of300000Entries_growsAndSplitsTheIndexAndFindsAll() {
    Limited limited = new Limited(1 << 30);
    int count = 300_000;

    for (int i = 0; i < count; i++) {
      limited.put(i, value(i, i % 50));
    }

    limited.checkInvariants();
    for (int i = 0; i < count; i++) {
      assertArrayEquals(value(i, i % 50), limited.get(i));
    }
    MemoryUse use = memoryUse(limited.segment);
    assertEquals(use.allocatedBytes(), limited.pool.use().allocatedBytes());
    assertEquals(use.allocatedBytes(), limited.occupancy.bytes());
    assertTrue(use.indexBytes() < count * 7L, "index of " + use.indexBytes());
    for (int i = 0; i < count; i++) {
      assertTrue(limited.remove(i));
    }
    limited.checkInvariants();
    MemoryUse left = memoryUse(limited.segment);
    assertTrue(left.allocatedBytes() < use.allocatedBytes() / 20, () -> "left: " + left);
  }

  @Test
  void writes_whenAddressesOutgrowNarrowSlots_findEveryEntry() {
    Seeds.run(
        4,
        random -> {
          Limited limited = new Limited(1 << 30);
          int count = 3_000;
          int[] sizes = new int[count];
          Arrays.fill(sizes, -1);
          for (int step = 0; step < 5 * count; step++) {
            int number = random.nextInt(count);
            if (random.nextInt(5) == 0) {
              assertEquals(sizes[number] >= 0, limited.remove(number));
              sizes[number] = -1;
            } else {
              // large ones have a page each, and addresses are of pages
              boolean isSmall = random.nextInt(count) > step / 5;
              sizes[number] = random.nextInt(20) + (isSmall ? 20 : EntryPages.SMALL_MAX);
              limited.put(number, value(number, sizes[number]));
            }
            if (step % count == 0) {
              limited.checkInvariants();
            }
          }
          limited.checkInvariants();
          for (int i = 0; i < count; i++) {
            assertArrayEquals(sizes[i] < 0 ? null : value(i, sizes[i]), limited.get(i));
          }
        });
  }

  @Test
  void overwrite_whereTheNewAddressIsTooLong_takesTheEntrysPlace() {
    Limited limited = new Limited(64 << 20);
    limited.put(-1, value(1, 10));
    int pages = 600; // more than a narrow slot of an index without splits can tell apart
    for (int i = 0; i < pages; i++) {
      limited.put(0, value(2, EntryPages.SMALL_MAX));
      limited.put(i, value(i, EntryPages.SMALL_MAX));
    }

    limited.put(-1, value(3, 20_000));

    assertArrayEquals(value(3, 20_000), limited.get(-1));
    assertArrayEquals(value(7, EntryPages.SMALL_MAX), limited.get(7));
    limited.checkInvariants();
  }

  @Test
  void overwrite_withChangingSizes_keepsWasteBelowAFifth() {
    Seeds.run(
        2,
        random -> {
          Limited limited = new Limited(1 << 30);
          int count = 20_000;
          int[] sizes = new int[count];
          for (int i = 0; i < count; i++) {
            sizes[i] = random.nextInt(200);
            limited.put(i, value(i, sizes[i]));
          }
          for (int step = 0; step < 10 * count; step++) {
            int number = random.nextInt(count);
            sizes[number] = random.nextInt(200);
            limited.remove(random.nextInt(4) == 0 ? number : -1);
            limited.put(number, value(number, sizes[number]));
          }
          limited.checkInvariants();
          MemoryUse use = memoryUse(limited.segment);
          long entries = use.allocatedBytes() - use.indexBytes();
          assertTrue(entries < use.liveBytes() * 1.2, () -> "after churn: " + use);
          for (int i = 0; i < count; i++) {
            assertArrayEquals(value(i, sizes[i]), limited.get(i));
          }
        });
  }

  @Test
  void overwrite_withTheSameSize_takesNoMemory() {
    Limited limited = new Limited(1 << 30);
    limited.put(1, value(1, 100));
    limited.put(2, value(2, 100));
    MemoryUse before = memoryUse(limited.segment);

    limited.put(1, value(3, 100));

    assertEquals(before, memoryUse(limited.segment));
    assertArrayEquals(value(3, 100), limited.get(1));
    assertArrayEquals(value(2, 100), limited.get(2));
  }

  @Test
  void largeEntries_writtenReadAndRemoved_haveTheirOwnPages() {
    Limited limited = new Limited(64 << 20);
    int[] sizes = {4_000, 4_090, 4_096, 5_000, 32_768, 100_000, 1 << 20, 5 << 20};
    for (int size : sizes) {
      limited.put(size, value(size, size));
      limited.put(-size, value(-size, size));
    }

    limited.checkInvariants();
    for (int size : sizes) {
      assertArrayEquals(value(size, size), limited.get(size));
      limited.put(size, value(7, size)); // of the same size
      assertArrayEquals(value(7, size), limited.get(size));
      assertTrue(limited.remove(-size));
    }
    limited.checkInvariants();
    MemoryUse use = memoryUse(limited.segment);
    assertTrue(use.allocatedBytes() < use.liveBytes() * 1.02, () -> use.toString());
  }

  @Test
  void read_ofLargeEntry_handsOutItsMemoryAndOutlivesItsRemoval() {
    Limited limited = new Limited(64 << 20);
    byte[] value = value(1, 100_000);
    limited.put(1, value);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    boolean[] inPlace = {false};
    BinaryKey key = Limited.key(1);

    limited.segment.read(
        key,
        key.hash(),
        limited.view,
        entry -> {
          CompletableFuture.runAsync(() -> limited.remove(1)).join();
          for (int i = 2; i < 300; i++) {
            limited.put(i, value(i, 100_000)); // would take the place if it were free
          }
          entry.value().writeTo(sink(written, inPlace));
        });

    assertTrue(inPlace[0]);
    assertArrayEquals(value, written.toByteArray());
    assertFalse(limited.remove(1));
  }

  private static ByteSink sink(ByteArrayOutputStream target, boolean[] inPlace) {
    return new ByteSink() {
      @Override
      public void write(byte[] array, int offset, int length) {
        target.write(array, offset, length);
      }

      @Override
      public void write(MemorySegment memory, long offset, int length) {
        inPlace[0] = true;
        ByteSink.super.write(memory, offset, length);
      }
    };
  }

  @Test
  void vacate_ofScatteredPages_keepsEntriesAndGivesRegionsBack() {
    Limited limited = new Limited(256 << 20);
    int count = 60_000;
    for (int i = 0; i < count; i++) {
      limited.put(i, value(i, sizeOf(i)));
    }
    for (int i = 0; i < count; i++) {
      assertTrue(i % 3 == 0 || limited.remove(i));
    }
    long scattered = limited.pool.use().reservedBytes();
    MemoryUse before = memoryUse(limited.segment);
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Integer> reader =
        CompletableFuture.supplyAsync(() -> readUntil(done, limited.container, count));

    int rounds = 0;
    while (limited.pool.beginVacating()) {
      limited.container.vacate();
      limited.pool.endVacating();
      limited.checkInvariants();
      rounds++;
    }

    done.set(true);
    assertTrue(reader.join() > 0);
    assertTrue(rounds > 0);
    assertEquals(before, memoryUse(limited.segment));
    long reserved = limited.pool.use().reservedBytes();
    assertTrue(reserved < scattered * 9 / 10, () -> scattered + " to " + reserved);
    for (int i = 0; i < count; i++) {
      assertArrayEquals(i % 3 == 0 ? value(i, sizeOf(i)) : null, limited.get(i));
      limited.remove(i);
    }
    assertEquals(memoryUse(limited.segment).allocatedBytes(), limited.pool.use().allocatedBytes());
  }

  private static int sizeOf(int number) {
    return number % 100 == 0 ? 5_000 + number % 20_000 : 100 + number % 1_000;
  }

  /** Reads what stays, over and over; gives the number of reads. */
  private static int readUntil(AtomicBoolean done, Container<BinaryKey, Bytes> container, int end) {
    EntryView<BinaryKey, Bytes> view = container.newView();
    int reads = 0;
    for (int i = 0; !done.get() || reads == 0; i = (i + 3) % end) {
      int number = i;
      BinaryKey key = Limited.key(i);
      Segment.Found found =
          container
              .segmentAt(0)
              .read(
                  key,
                  key.hash(),
                  view,
                  entry ->
                      assertArrayEquals(
                          value(number, sizeOf(number)), entry.value().toByteArray()));
      assertEquals(Segment.Found.LIVE, found);
      reads++;
    }
    return reads;
  }

  @Test
  void read_ofLargeEntry_outlivesItsMove() {
    Limited limited = new Limited(256 << 20);
    for (int i = 0; i < 400; i++) {
      limited.put(i, value(i, 100_000));
    }
    for (int i = 0; i < 400; i++) {
      assertTrue(i % 4 == 1 || limited.remove(i));
    }
    BinaryKey key = Limited.key(1);
    byte[] value = value(1, 100_000);
    limited.segment.read(
        key,
        key.hash(),
        limited.view,
        entry -> {
          while (limited.pool.beginVacating()) {
            limited.container.vacate();
            limited.pool.endVacating();
          }
          assertArrayEquals(value, entry.value().toByteArray());
        });

    limited.checkInvariants();
    assertArrayEquals(value, limited.get(1));
    assertEquals(memoryUse(limited.segment).allocatedBytes(), limited.pool.use().allocatedBytes());
  }

  @Test
  void put_beyondTheLimit_isRefusedAndChangesNothing() {
    Limited limited = new Limited(2 << 20);
    Map<Integer, Integer> stored = new HashMap<>();
    int refused = 0;
    for (int i = 0; refused < 200; i++) {
      int size = i % 3 == 0 ? 6_000 : i % 300;
      try {
        limited.put(i, value(i, size));
        stored.put(i, size);
      } catch (MemoryFullException e) {
        refused++;
      }
    }

    limited.checkInvariants();
    assertTrue(limited.pool.use().reservedBytes() <= 2 << 20);
    assertEquals(stored.size(), limited.segment.count());
    stored.forEach((number, size) -> assertArrayEquals(value(number, size), limited.get(number)));
    for (int number : stored.keySet()) {
      assertTrue(limited.remove(number));
    }
    limited.put(1, value(1, 1000));
    assertArrayEquals(value(1, 1000), limited.get(1));
    limited.checkInvariants();
  }

  @Test
  void removals_whenMemoryIsFull_makeRoomByCompaction() {
    Limited limited = new Limited(4 << 20);
    int[] count = {0};
    assertThrows(
        MemoryFullException.class,
        () -> {
          while (true) {
            limited.put(count[0], value(count[0], 100));
            count[0]++;
          }
        });

    for (int i = 0; i < count[0]; i += 2) {
      limited.remove(i);
    }
    for (int i = 0; i < count[0] / 3; i++) {
      limited.put(count[0] + i, value(i, 110));
    }

    limited.checkInvariants();
  }

  @Test
  void clear_ofFullSegment_givesEverythingBack() {
    Limited limited = new Limited(64 << 20);
    for (int i = 0; i < 10_000; i++) {
      limited.put(i, value(i, i));
    }

    limited.segment.lock();
    limited.segment.clear();
    limited.segment.unlock();

    assertEquals(0, limited.pool.use().allocatedBytes());
    assertEquals(0, limited.pool.use().reservedBytes());
    assertEquals(0, limited.occupancy.bytes());
    assertEquals(MemoryUse.NONE, memoryUse(limited.segment));
  }

  @Test
  void pages_ofSegment_addUpToItsMemory() {
    Limited limited = new Limited(64 << 20);
    for (int i = 0; i < 5_000; i++) {
      limited.put(i, value(i, 100));
      limited.put(i / 2, value(i, 120));
    }

    limited.segment.lock();
    try {
      MemoryUse use = limited.segment.memoryUse();
      long allocated = 0;
      long live = 0;
      long dead = 0;
      for (PageUse page : limited.segment.pages()) {
        allocated += page.allocatedBytes();
        live += page.liveBytes();
        dead += page.usedBytes() - page.liveBytes();
      }
      assertEquals(use.allocatedBytes() - use.indexBytes(), allocated);
      assertEquals(use.liveBytes(), live);
      assertEquals(use.deadBytes(), dead);
      assertEquals(use.pages(), limited.segment.pages().size());
    } finally {
      limited.segment.unlock();
    }
  }
}
