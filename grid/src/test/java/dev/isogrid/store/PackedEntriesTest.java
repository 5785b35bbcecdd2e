package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import dev.isogrid.base.Seeds;
import dev.isogrid.codec.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PackedEntriesTest {
  private static final int[] SIZES = {0, 1, 100, 5000, 40_000};

  /** An entry with all that a window shows. */
  private record Entry(String key, SegmentFixture.Shown shown) {}

  @Test
  void entries_fromHeapAndOffHeap_areReadBackAsTheyWere() {
    Seeds.run(
        20,
        random -> {
          check(new SegmentFixture<>(TextKind.BINARY), random);
          check(new SegmentFixture<>(TextKind.OFF_HEAP), random);
          check(new SegmentFixture<>(TextKind.COMPRESSED_BINARY), random);
          check(new SegmentFixture<>(TextKind.COMPRESSED_OFF_HEAP), random);
        });
  }

  private static void check(SegmentFixture<BinaryKey, Bytes> fixture, Random random) {
    for (int i = 0; i < 60; i++) {
      Expiry expiry =
          new Expiry(
              random.nextBoolean() ? -1 : 1 + random.nextInt(1_000_000),
              random.nextBoolean() ? -1 : 1 + random.nextInt(1_000_000));
      String value = "v".repeat(SIZES[random.nextInt(SIZES.length)]);
      String mediaType = random.nextBoolean() ? null : "text/x-" + random.nextInt(3);
      fixture.store("key" + i, value, expiry, random.nextInt(2), mediaType);
    }
    int headRoom = random.nextInt(3) * 10;
    PackedEntries packed = PackedEntries.afterHead(headRoom);
    List<Entry> expected = new ArrayList<>();
    SegmentSnapshot<BinaryKey, Bytes> walk = fixture.snapshot();
    while (walk.next(fixture.view)) {
      int before = packed.sizeBytes();
      int count = packed.count();
      packed.add(fixture.view, true);
      if (random.nextInt(5) == 0) {
        packed.truncate(before, count);
      } else {
        expected.add(entry(fixture, fixture.view));
      }
    }
    int size = packed.sizeBytes();
    byte[] sent = new byte[3 + size];
    packed.writeTo(sent, 3);
    ByteString behind = packed.behind(ByteString.of(new byte[] {7, 8, 9}));
    assertEquals(headRoom >= 3, behind.sharedFrom() == headRoom - 3);
    byte[] whole = behind.toByteArray();
    assertArrayEquals(new byte[] {7, 8, 9}, Arrays.copyOf(whole, 3));
    assertArrayEquals(
        Arrays.copyOfRange(sent, 3, sent.length), Arrays.copyOfRange(whole, 3, whole.length));
    PackedEntries read = PackedEntries.of(sent, 3, size, packed.count(), packed.epochBits());
    assertEquals(size, read.sizeBytes());
    assertTrue(PackedEntries.areValid(sent, 3, size, packed.count()));
    assertFalse(PackedEntries.areValid(sent, 3, size, packed.count() + 1));
    List<Entry> found = new ArrayList<>();
    EntryView<BinaryKey, Bytes> view = fixture.container.newView();
    while (read.next(view)) {
      found.add(entry(fixture, view));
    }
    assertEquals(expected, found);
    assertEquals(expected.size(), read.count());
    assertTrue(read.isAtEnd());
  }

  private static Entry entry(
      SegmentFixture<BinaryKey, Bytes> fixture, EntryView<BinaryKey, Bytes> view) {
    return new Entry(
        new String(view.key().toByteArray(), StandardCharsets.UTF_8), fixture.shown(view));
  }

  @Test
  void clear_thenOtherEntries_showsOnlyThose() {
    PackedEntries packed = PackedEntries.afterHead(10);
    SegmentFixture<BinaryKey, Bytes> before = new SegmentFixture<>(TextKind.OFF_HEAP);
    before.store("a", "v".repeat(1000));
    before.store("b", "v".repeat(1000));
    addAll(before, packed);
    assertTrue(packed.next(before.view)); // the other one is never shown
    byte[] array = packed.array();

    packed.clear(array.length);
    assertEquals(0, packed.count());
    assertEquals(0, packed.sizeBytes());
    assertFalse(packed.next(before.view));
    SegmentFixture<BinaryKey, Bytes> after = new SegmentFixture<>(TextKind.OFF_HEAP);
    after.store("c", "other");
    addAll(after, packed);
    assertTrue(packed.next(after.view));
    assertEquals(new Entry("c", after.shown(after.view)), entry(after, after.view));
    assertTrue(packed.isAtEnd());
    assertSame(array, packed.array());

    packed.clear(array.length - 1);
    assertEquals(0, packed.array().length);
  }

  private static void addAll(SegmentFixture<BinaryKey, Bytes> fixture, PackedEntries packed) {
    SegmentSnapshot<BinaryKey, Bytes> walk = fixture.snapshot();
    while (walk.next(fixture.view)) {
      packed.add(fixture.view, true);
    }
  }

  @Test
  void valuesThatAreLeftOut_areEmpty() {
    SegmentFixture<BinaryKey, Bytes> fixture = new SegmentFixture<>(TextKind.OFF_HEAP);
    fixture.store("k", "value", Expiry.lifespan(1, TimeUnit.HOURS));
    assertTrue(fixture.snapshot().next(fixture.view));
    PackedEntries packed = new PackedEntries();
    packed.add(fixture.view, false);
    EntryView<BinaryKey, Bytes> view = fixture.container.newView();
    assertTrue(packed.next(view));
    assertEquals(0, view.value().length());
    assertEquals(fixture.view.version(), view.version());
    assertEquals(TimeUnit.HOURS.toMillis(1), view.lifespanMillis());
    assertFalse(packed.next(view));
  }

  /** As a copy meets writes that came before it: some of its entries are older than those. */
  @Test
  void tryStoreNewer_intoSegmentWithWrites_keepsWhatIsNewer() {
    Seeds.run(
        50,
        random -> {
          SegmentFixture<BinaryKey, Bytes> source = new SegmentFixture<>(TextKind.BINARY);
          SegmentFixture<BinaryKey, Bytes> target = new SegmentFixture<>(TextKind.BINARY);
          Map<String, Entry> expected = new HashMap<>();
          PackedEntries packed = new PackedEntries();
          for (int i = 0; i < 200; i++) {
            SegmentFixture<BinaryKey, Bytes> written = random.nextInt(4) == 0 ? target : source;
            long skipped = random.nextInt(50);
            written.segment.lock();
            written.segment.skipSequence(written.segment.lastSequence() + skipped);
            written.segment.unlock();
            Expiry expiry = new Expiry(random.nextInt(3) - 1, random.nextInt(3) - 1);
            String mediaType = random.nextBoolean() ? null : "text/x-" + random.nextInt(3);
            written.store("key" + random.nextInt(60), "v" + i, expiry, i % 2, mediaType);
          }
          addAll(target.snapshot(), target, expected, new PackedEntries());
          addAll(source.snapshot(), source, expected, packed);
          byte[] sent = new byte[packed.sizeBytes()];
          packed.writeTo(sent, 0);
          target.segment.lock();
          try {
            PackedEntries read = PackedEntries.of(sent, 0, sent.length, packed.count(), 0);
            assertTrue(target.segment.tryStoreNewer(read));
            target.segment.checkInvariants(target.view);
          } finally {
            target.segment.unlock();
          }
          Map<String, Entry> found = new HashMap<>();
          addAll(target.snapshot(), target, found, new PackedEntries());
          assertEquals(expected, found);
        });
  }

  @Test
  void tryStoreNewer_whereValuesAreCompressed_storesNothing() {
    SegmentFixture<BinaryKey, Bytes> target = new SegmentFixture<>(TextKind.COMPRESSED_BINARY);
    target.segment.lock();
    try {
      assertFalse(target.segment.tryStoreNewer(new PackedEntries()));
    } finally {
      target.segment.unlock();
    }
  }

  /** Packs the entries of a walk, and notes those that are newer than the ones known. */
  private static void addAll(
      SegmentSnapshot<BinaryKey, Bytes> walk,
      SegmentFixture<BinaryKey, Bytes> fixture,
      Map<String, Entry> known,
      PackedEntries packed) {
    while (walk.next(fixture.view)) {
      packed.add(fixture.view, true);
      Entry entry = entry(fixture, fixture.view);
      known.merge(
          entry.key(),
          entry,
          (one, other) -> one.shown().version() >= other.shown().version() ? one : other);
    }
  }

  @Test
  void entriesThatWereMutated_areInvalidOrCanBeRead() {
    int[] valid = {0};
    Seeds.run(
        2000,
        random -> {
          SegmentFixture<BinaryKey, Bytes> fixture = new SegmentFixture<>(TextKind.BINARY);
          for (int i = 0; i < 3; i++) {
            Expiry expiry = new Expiry(random.nextInt(3) - 1, random.nextInt(3) - 1);
            String mediaType = random.nextBoolean() ? null : "text/x-" + random.nextInt(3);
            fixture.store("key" + i, "value", expiry, random.nextInt(2), mediaType);
          }
          PackedEntries packed = new PackedEntries();
          SegmentSnapshot<BinaryKey, Bytes> walk = fixture.snapshot();
          while (walk.next(fixture.view)) {
            packed.add(fixture.view, true);
          }
          byte[] mutated = new byte[packed.sizeBytes()];
          packed.writeTo(mutated, 0);
          for (int i = random.nextInt(3); i >= 0; i--) {
            mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
          }
          if (PackedEntries.areValid(mutated, 0, mutated.length, packed.count())) {
            PackedEntries read = PackedEntries.of(mutated, 0, mutated.length, packed.count(), 0);
            while (read.next(fixture.view)) {
              assertNotNull(entry(fixture, fixture.view).shown);
            }
            valid[0]++;
          }
        });
    assertTrue(valid[0] > 100 && valid[0] < 1900, "valid=" + valid[0]);
  }

  @Test
  void lengthThatDoesNotFit_isRefused() {
    EntryView<BinaryKey, Bytes> view = new SegmentFixture<>(TextKind.BINARY).view;
    PackedEntries wrong = PackedEntries.of(new byte[] {0, 0, 0, 9, 1}, 0, 5, 1, 0);
    assertThrows(IndexOutOfBoundsException.class, () -> wrong.next(view));
  }
}
