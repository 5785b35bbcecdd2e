package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.FakeEnv;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IncomingValueTest {
  private static final int PIECE = ValuePieces.PIECE_BYTES;
  private static final BinaryKey KEY = BinaryKey.of(new byte[] {'k'});
  private static final BinaryKey OTHER = BinaryKey.of(new byte[] {'o'});

  private final FakeEnv env = new FakeEnv();
  private final PagePool pool = new PagePool(256 << 20);
  private final Occupancy occupancy = new Occupancy(true);
  private Container<BinaryKey, Bytes> container =
      Container.ofOffHeap(1, 1, env.env().epochClock(), occupancy, pool);
  private Segment<BinaryKey, Bytes> segment = container.segmentAt(0);

  @AfterEach
  void checkInvariants() {
    segment.lock();
    try {
      segment.checkInvariants(container.newView());
    } finally {
      segment.unlock();
    }
  }

  private void onHeap() {
    container = Container.ofBinary(1, 1, env.env().epochClock(), occupancy);
    segment = container.segmentAt(0);
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private IncomingValue receive(byte[] bytes, int chunkSize) {
    IncomingValue value = container.newIncomingValue();
    for (int from = 0; from < bytes.length; from += chunkSize) {
      value.append(ByteBuffer.wrap(bytes, from, Math.min(chunkSize, bytes.length - from)));
    }
    value.complete();
    return value;
  }

  private void put(BinaryKey key, Bytes value, Expiry expiry) {
    Effect<Bytes> effect = new Effect<>();
    effect.store(value, expiry.lifespanMillis(), expiry.maxIdleMillis());
    apply(key, effect);
  }

  private void apply(BinaryKey key, Effect<Bytes> effect) {
    segment.lock();
    try {
      EntryView<BinaryKey, Bytes> view = segment.writeView();
      segment.locate(key, key.hash(), view);
      segment.applyLocated(key, key.hash(), view, effect, segment.nextVersion());
    } finally {
      segment.endWrite();
      segment.unlock();
    }
  }

  private void putInChunks(BinaryKey key, byte[] bytes, Expiry expiry) {
    try (IncomingValue value = receive(bytes, 100_000)) {
      put(key, value, expiry);
    }
  }

  private void remove(BinaryKey key) {
    segment.lock();
    try {
      EntryView<BinaryKey, Bytes> view = segment.writeView();
      segment.locate(key, key.hash(), view);
      segment.removeLocated();
    } finally {
      segment.endWrite();
      segment.unlock();
    }
  }

  private byte @Nullable [] get(BinaryKey key) {
    byte[] @Nullable [] taken = new byte[1][];
    segment.read(
        key, key.hash(), container.newView(), entry -> taken[0] = entry.value().toByteArray());
    return taken[0];
  }

  private PinnedBytes pin(BinaryKey key) {
    PinnedBytes[] taken = new PinnedBytes[1];
    segment.read(key, key.hash(), container.newView(), entry -> taken[0] = entry.value().pin());
    return taken[0];
  }

  private static byte[] read(PinnedBytes bytes, int from, int length) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    bytes.writeTo(from, length, out::write);
    return out.toByteArray();
  }

  private void assertNothingIsLeft() {
    assertEquals(container.memoryUse().allocatedBytes(), pool.use().allocatedBytes());
    assertTrue(pool.use().allocatedBytes() < 8192, () -> "left: " + pool.use());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4000, 5000, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE + 77})
  void value_ofAnySize_isStoredAndFreedAsOne(int size) {
    byte[] bytes = bytes(size);
    putInChunks(KEY, bytes, Expiry.NEVER);
    assertArrayEquals(bytes, get(KEY));
    long allocated = container.memoryUse().allocatedBytes();
    assertEquals(allocated, pool.use().allocatedBytes());
    assertEquals(allocated, occupancy.bytes());
    assertTrue(allocated < size + 5000, () -> "allocated: " + allocated);
    remove(KEY);
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, PIECE - 5, PIECE, 5_000_000})
  void chunks_ofAnySize_makeTheSameValue(int chunkSize) {
    byte[] bytes = bytes(chunkSize == 1 ? 100_000 : 5_000_001);
    try (IncomingValue value = receive(bytes, chunkSize)) {
      put(KEY, value, Expiry.NEVER);
    }
    assertArrayEquals(bytes, get(KEY));
    checkInvariants();
    onHeap();
    try (IncomingValue value = receive(bytes, chunkSize)) {
      put(KEY, value, Expiry.NEVER);
    }
    assertArrayEquals(bytes, get(KEY));
  }

  @Test
  void largeValue_whenStored_isNotCopied() {
    byte[] bytes = bytes(20 * PIECE);
    try (IncomingValue value = receive(bytes, 1 << 20)) {
      long before = pool.use().allocatedBytes();
      assertEquals(before, container.memoryUse().allocatedBytes());
      put(KEY, value, Expiry.NEVER);
      assertTrue(pool.use().allocatedBytes() < before + 4096);
    }
    assertEquals(container.memoryUse().allocatedBytes(), pool.use().allocatedBytes());
  }

  @Test
  void value_thatIsGivenUp_isFreed() {
    IncomingValue value = receive(bytes(3 * PIECE), 70_000);
    assertTrue(container.memoryUse().allocatedBytes() >= 3 * PIECE);
    value.close();
    value.close();
    assertNothingIsLeft();
    assertThrows(IllegalStateException.class, () -> value.append(ByteBuffer.allocate(1)));
  }

  @Test
  void append_withoutMemory_changesNothing() {
    byte[] bytes = bytes(10 * PIECE);
    try (IncomingValue value = container.newIncomingValue()) {
      MemoryFullException full = null;
      int appended = 0;
      while (full == null) {
        ByteBuffer chunk = ByteBuffer.wrap(bytes);
        try {
          value.append(chunk);
          appended += bytes.length;
        } catch (MemoryFullException failure) {
          full = failure;
          assertEquals(bytes.length, chunk.remaining());
        }
      }
      assertEquals(appended, value.length());
      assertTrue(String.valueOf(full.getMessage()).contains("limit=" + (256 << 20)));
    }
    assertNothingIsLeft();
  }

  @Test
  void append_ofMoreThanTheHeapAllows_isRefused() {
    onHeap();
    byte[] chunk = new byte[16 << 20];
    try (IncomingValue value = container.newIncomingValue()) {
      CacheFullException full =
          assertThrows(
              CacheFullException.class,
              () -> {
                for (long size = 0; size <= Runtime.getRuntime().maxMemory() / 4; ) {
                  value.append(ByteBuffer.wrap(chunk));
                  size += chunk.length;
                }
              });
      assertTrue(String.valueOf(full.getMessage()).startsWith("heap too small"));
    }
    assertEquals(container.memoryUse().indexBytes(), container.memoryUse().allocatedBytes());
  }

  @Test
  void overwrite_ofAPinnedValue_neitherTearsItNorWaits() {
    byte[] first = bytes(3 * PIECE + 1);
    byte[] second = bytes(2 * PIECE + 2);
    putInChunks(KEY, first, Expiry.NEVER);
    try (PinnedBytes pinned = pin(KEY)) {
      putInChunks(KEY, second, Expiry.NEVER);
      assertArrayEquals(second, get(KEY));
      assertEquals(first.length, pinned.length());
      assertArrayEquals(first, read(pinned, 0, first.length));
      remove(KEY);
      assertEquals(0, read(pinned, 5, 0).length);
      assertArrayEquals(new byte[] {first[PIECE - 1], first[PIECE]}, read(pinned, PIECE - 1, 2));
      assertTrue(pool.use().allocatedBytes() > first.length);
      assertThrows(IndexOutOfBoundsException.class, () -> read(pinned, first.length, 1));
    }
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100_000, 3_000_000})
  void pinnedValue_ofAnySize_staysReadable(int size) {
    byte[] bytes = bytes(size);
    put(KEY, Bytes.of(bytes), Expiry.NEVER);
    try (PinnedBytes pinned = pin(KEY)) {
      put(KEY, Bytes.of(bytes(size + 1)), Expiry.NEVER);
      put(KEY, Bytes.of(new byte[size]), Expiry.NEVER);
      assertArrayEquals(bytes, read(pinned, 0, size));
    }
    remove(KEY);
    assertNothingIsLeft();
    onHeap();
    put(KEY, Bytes.of(bytes), Expiry.NEVER);
    try (PinnedBytes pinned = pin(KEY)) {
      put(KEY, Bytes.of(new byte[size]), Expiry.NEVER);
      assertArrayEquals(bytes, read(pinned, 0, size));
    }
  }

  @Test
  void mortalValue_inPieces_isTouchedAndExpires() {
    byte[] bytes = bytes(2 * PIECE + 3);
    putInChunks(KEY, bytes, new Expiry(10_000, 3_000));
    for (int i = 0; i < 4; i++) {
      env.moveClock(2_000);
      assertArrayEquals(bytes, get(KEY));
      checkInvariants();
    }
    Effect<Bytes> effect = new Effect<>();
    effect.touch(50_000, Expiry.UNLIMITED);
    apply(KEY, effect);
    checkInvariants();
    env.moveClock(49_999);
    assertArrayEquals(bytes, get(KEY));
    assertEquals(container.memoryUse().allocatedBytes(), pool.use().allocatedBytes());
    env.moveClock(1);
    assertNull(get(KEY));
    segment.lock();
    try {
      segment.removeExpired(0, 1000, env.nowMillis(), container.newView(), _ -> {});
    } finally {
      segment.unlock();
    }
    assertNothingIsLeft();
  }

  @Test
  void readers_whileValuesAreReplaced_seeWholeOnes() throws Exception {
    int readers = 3;
    CountDownLatch started = new CountDownLatch(readers);
    AtomicBoolean ended = new AtomicBoolean();
    putInChunks(KEY, filled(0), Expiry.NEVER);
    try (ExecutorService threads = Executors.newFixedThreadPool(readers)) {
      List<Future<Integer>> reads = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        reads.add(
            threads.submit(() -> {
              int count = 0;
              started.countDown();
              do {
                try (PinnedBytes pinned = pin(KEY)) {
                  byte[] seen = read(pinned, 0, pinned.length());
                  assertArrayEquals(filled(seen[0]), seen);
                  count++;
                }
              } while (!ended.get());
              return count;
            }));
      }
      started.await();
      for (int i = 1; i < 60; i++) {
        putInChunks(KEY, filled(i), Expiry.NEVER);
      }
      ended.set(true);
      for (Future<Integer> read : reads) {
        assertTrue(read.get() > 0);
      }
    }
    remove(KEY);
    assertNothingIsLeft();
  }

  /** A value in pieces whose bytes and length follow from one number. */
  private static byte[] filled(int number) {
    byte[] bytes = new byte[2 * PIECE + 1000 * number];
    Arrays.fill(bytes, (byte) number);
    return bytes;
  }

  @Test
  void smallValue_afterOneInPieces_replacesIt() {
    putInChunks(KEY, bytes(2 * PIECE), Expiry.NEVER);
    put(KEY, Bytes.of(new byte[] {1}), Expiry.NEVER);
    assertArrayEquals(new byte[] {1}, get(KEY));
    putInChunks(KEY, bytes(3 * PIECE), Expiry.NEVER);
    assertArrayEquals(bytes(3 * PIECE), get(KEY));
    segment.lock();
    try {
      segment.clear();
    } finally {
      segment.unlock();
    }
    assertNothingIsLeft();
  }

  @Test
  void walk_throughLargeValues_showsThemAndKeepsNothing() {
    byte[] bytes = bytes(2 * PIECE + 3);
    putInChunks(KEY, bytes, new Expiry(5_000, 3_000));
    byte[] huge = new byte[65 << 20];
    putInChunks(OTHER, huge, Expiry.NEVER);
    SegmentSnapshot<BinaryKey, Bytes> walk;
    segment.lock();
    try {
      walk = segment.snapshot();
    } finally {
      segment.unlock();
    }
    EntryView<BinaryKey, Bytes> view = container.newView();
    int seen = 0;
    while (walk.next(view)) {
      seen++;
      if (view.key().toByteArray()[0] == 'k') {
        assertArrayEquals(bytes, view.value().toByteArray());
        assertEquals(5_000, view.lifespanMillis());
        assertEquals(env.nowMillis(), view.lastUsedMillis());
      } else {
        assertEquals(huge.length, view.value().length());
        Bytes value = view.value();
        assertThrows(InvalidRequestException.class, value::toByteArray);
        remove(OTHER);
      }
    }
    assertEquals(2, seen);
    remove(KEY);
    assertNothingIsLeft();
  }

  @Test
  void entryInPieces_inAVacatedRegion_moves() {
    int count = 3000;
    for (int i = 0; i < count; i++) {
      put(
          BinaryKey.of(("f" + i).getBytes(StandardCharsets.UTF_8)),
          Bytes.of(new byte[4000]),
          Expiry.NEVER);
    }
    byte[] bytes = bytes(2 * PIECE + 3);
    putInChunks(KEY, bytes, Expiry.NEVER);
    for (int i = 0; i < count; i++) {
      if (i % 10 != 0) {
        remove(BinaryKey.of(("f" + i).getBytes(StandardCharsets.UTF_8)));
      }
    }
    try (PinnedBytes pinned = pin(KEY)) {
      for (int i = 0; i < 10 && pool.beginVacating(); i++) {
        container.vacate();
        pool.endVacating();
      }
      assertFalse(pool.isScattered());
      assertArrayEquals(bytes, read(pinned, 0, bytes.length));
      assertArrayEquals(bytes, get(KEY));
    }
    segment.lock();
    try {
      segment.clear();
    } finally {
      segment.unlock();
    }
    assertNothingIsLeft();
  }
}
