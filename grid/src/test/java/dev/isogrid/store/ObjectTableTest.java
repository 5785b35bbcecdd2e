package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.MemoryUse;
import java.util.HashSet;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Properties of the table of objects only: growth, collisions, sequences, tags, memory. */
class ObjectTableTest {
  private static final int ENTRY_BYTES_MAX = 24;

  private final SegmentFixture<Object, Object> fixture = new SegmentFixture<>(TextKind.OBJECTS);
  private final Segment<Object, Object> segment = fixture.segment;
  private final EntryView<Object, Object> view = fixture.view;

  /** A key whose hash code is chosen. */
  private record Key(int number, int code) {
    @Override
    public int hashCode() {
      return code;
    }
  }

  private @Nullable Object get(Object key) {
    return Objects.requireNonNull(fixture.container.objects()).get(key, ObjectTables.hash(key));
  }

  private void store(Object key, Object value) {
    Effect<Object> effect = new Effect<>();
    effect.store(value, Expiry.UNLIMITED, Expiry.UNLIMITED);
    segment.lock();
    try {
      segment.locate(key, ObjectTables.hash(key), view);
      segment.applyLocated(key, ObjectTables.hash(key), view, effect, segment.nextVersion());
    } finally {
      segment.unlock();
    }
  }

  private boolean remove(Object key) {
    segment.lock();
    try {
      segment.locate(key, ObjectTables.hash(key), view);
      boolean present = view.isPresent();
      if (present) {
        segment.removeLocated();
      }
      return present;
    } finally {
      segment.unlock();
    }
  }

  private MemoryUse memoryUse() {
    return fixture.container.memoryUse(0);
  }

  @Test
  void growth_toAnySize_keepsAllEntriesWithinTheBytes() {
    for (int i = 1; i <= 20_000; i++) {
      store(i, -i);
      if (i >= 2_000) {
        long bytes = memoryUse().allocatedBytes();
        assertTrue(bytes <= (long) ENTRY_BYTES_MAX * i, bytes + " bytes for entries: " + i);
      }
    }
    fixture.checkInvariants();
    for (int i = 1; i <= 20_000; i++) {
      assertEquals(-i, get(i));
    }
    assertNull(get(0));
  }

  @Test
  void memoryUse_ofEmptySegment_isNearlyNothing() {
    assertTrue(memoryUse().allocatedBytes() <= 64);
    store("a", "1");
    fixture.clear();
    assertTrue(memoryUse().allocatedBytes() <= 64);
  }

  @Test
  void memoryUse_ofImmortalEntries_hasNoWrappers() {
    store("a", "1");
    assertEquals(0, memoryUse().liveBytes());
    fixture.store("b", "2", new Expiry(10, Expiry.UNLIMITED));
    assertEquals(56, memoryUse().liveBytes());
    fixture.store("b", "2");
    assertEquals(0, memoryUse().liveBytes());
  }

  @Test
  void occupancy_ofBytes_isWhatMemoryUseSays() {
    Random random = new Random(1);
    for (int i = 0; i < 5_000; i++) {
      String key = "k" + random.nextInt(1_000);
      switch (random.nextInt(4)) {
        case 0 -> fixture.remove(key);
        case 1 -> fixture.store(key, "v", new Expiry(random.nextInt(1, 50), Expiry.UNLIMITED));
        default -> fixture.store(key, "v");
      }
      if (i % 100 == 0) {
        fixture.env.moveClock(10);
        fixture.removeExpired(0, Integer.MAX_VALUE, entry -> {});
      }
      assertEquals(memoryUse().allocatedBytes(), fixture.container.occupancy().bytes());
    }
    fixture.clear();
    assertEquals(memoryUse().allocatedBytes(), fixture.container.occupancy().bytes());
    assertEquals(0, fixture.container.occupancy().count());
  }

  @Test
  void manyKeys_ofOneHash_areTold() {
    for (int i = 0; i < 500; i++) {
      store(new Key(i, 42), i);
    }
    fixture.checkInvariants();
    for (int i = 0; i < 500; i += 2) {
      assertTrue(remove(new Key(i, 42)));
    }
    fixture.checkInvariants();
    for (int i = 0; i < 500; i++) {
      assertEquals(i % 2 == 0 ? null : (Integer) i, get(new Key(i, 42)));
    }
    assertFalse(remove(new Key(1000, 42)));
  }

  @Test
  void keys_whoseTagHasNoLowerBits_areStoredAsOthers() {
    int stored = 0;
    for (int i = 0; stored < 100; i++) {
      if ((Segment.tag(ObjectTables.hash(i)) & 0x7F) == 0) {
        store(i, -i);
        assertEquals(-i, get(i));
        stored++;
      }
    }
    fixture.checkInvariants();
    assertEquals(100, segment.count());
  }

  @Test
  void version_beyond32Bits_isKept() {
    long[] starts = {0xFFFF_FFFEL, 0x7F_FFFF_FFF0L, (1L << 38) + 5};
    for (long start : starts) {
      SegmentFixture<Object, Object> fresh = new SegmentFixture<>(TextKind.OBJECTS);
      fresh.segment.lock();
      fresh.segment.skipSequence(start);
      fresh.segment.unlock();
      for (int i = 0; i < 12; i++) {
        long version = fresh.store("k" + i, "v", Expiry.NEVER, i % 2, null);
        assertEquals(
            ((long) SegmentFixture.EPOCH << Segment.SEQUENCE_BITS) + start + 1 + i, version);
        assertEquals(version, Objects.requireNonNull(fresh.read("k" + i)).version());
      }
      fresh.remove("k0");
      fresh.checkInvariants();
      assertEquals(11, fresh.entries().size());
      for (int i = 1; i < 12; i++) {
        long expected = ((long) SegmentFixture.EPOCH << Segment.SEQUENCE_BITS) + start + 1 + i;
        assertEquals(expected, Objects.requireNonNull(fresh.read("k" + i)).version());
      }
    }
  }

  @Test
  void sampleTag_atRandom_findsEntriesToLocate() {
    segment.lock();
    try {
      assertEquals(-1, segment.sampleTag(7));
      segment.locateTag(0, view);
      assertFalse(view.isPresent());
    } finally {
      segment.unlock();
    }
    for (int i = 0; i < 200; i++) {
      store("k" + i, i);
    }
    Random random = new Random(3);
    Set<Object> seen = new HashSet<>();
    segment.lock();
    try {
      for (int i = 0; i < 5_000; i++) {
        int tag = segment.sampleTag(random.nextLong());
        segment.locateTag(tag, view);
        assertTrue(view.isPresent());
        assertEquals(tag, ObjectTable.tag(ObjectTables.hash(view.key())));
        seen.add(view.key());
      }
    } finally {
      segment.unlock();
    }
    assertEquals(200, seen.size());
  }

  @Test
  void locateTag_ofEntry_letsItBeRemoved() {
    store("a", "1");
    segment.lock();
    try {
      segment.locateTag(Segment.tag(ObjectTables.hash("a")), view);
      assertSame("1", view.value());
      segment.removeLocated();
    } finally {
      segment.unlock();
    }
    assertNull(get("a"));
    fixture.checkInvariants();
  }

  @Test
  void writeViewAndEffect_afterTheWrite_keepNothing() {
    store("a", "1");
    segment.lock();
    try {
      EntryView<Object, Object> own = segment.writeView();
      segment.locate("a", ObjectTables.hash("a"), own);
      Effect<Object> effect = segment.writeEffect();
      effect.store("2", Expiry.UNLIMITED, Expiry.UNLIMITED);

      segment.endWrite();

      assertFalse(own.isPresent());
      assertSame(own, segment.writeView());
      assertSame(effect, segment.writeEffect());
      assertEquals(Effect.Kind.LEAVE, effect.kind());
    } finally {
      segment.unlock();
    }
  }
}
