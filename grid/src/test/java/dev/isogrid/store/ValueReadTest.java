package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The short way of reading a value, in both kinds of segments of bytes. */
class ValueReadTest {
  private static final Expiry LIFESPAN_10 = new Expiry(10, Expiry.UNLIMITED);
  private static final Expiry IDLE_10 = new Expiry(Expiry.UNLIMITED, 10);

  private @Nullable SegmentFixture<BinaryKey, Bytes> used;

  private static List<TextKind<BinaryKey, Bytes>> kinds() {
    return List.of(
        TextKind.BINARY,
        TextKind.OFF_HEAP,
        TextKind.COMPRESSED_BINARY,
        TextKind.COMPRESSED_OFF_HEAP);
  }

  private SegmentFixture<BinaryKey, Bytes> fixture(TextKind<BinaryKey, Bytes> kind) {
    SegmentFixture<BinaryKey, Bytes> made = new SegmentFixture<>(kind);
    used = made;
    return made;
  }

  @AfterEach
  void segment_afterEachTest_keepsItsInvariants() {
    if (used != null) {
      used.checkInvariants();
    }
  }

  /** Reads with a room that is used again, as caches do, and by taking the bytes, as replies do. */
  private static @Nullable Object read(SegmentFixture<BinaryKey, Bytes> fixture, String key) {
    BinaryKey stored = fixture.kind.key(key);
    Object found = fixture.segment.readValue(stored, stored.hash(), TEXT);
    assertEquals(found, fixture.segment.readValue(stored, stored.hash(), new TakenText()));
    return found instanceof String whole
        ? fixture.kind.text(Bytes.of(whole.getBytes(StandardCharsets.UTF_8)))
        : found;
  }

  /** Reads a text from bytes that it copies out of the memory itself. */
  private static final class TakenText extends ValueReader<String> {
    private byte[] bytes = {};

    TakenText() {
      super(0);
    }

    @Override
    protected boolean take(MemorySegment memory, long at, int length) {
      bytes = memory.asSlice(at, length).toArray(Native.BYTE);
      return true;
    }

    @Override
    protected String taken() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String read(byte[] array, int offset, int length) {
      return new String(array, offset, length, StandardCharsets.UTF_8);
    }
  }

  private static final ValueReader<String> TEXT =
      new ValueReader<>(0) {
        @Override
        public String read(byte[] array, int offset, int length) {
          return new String(array, offset, length, StandardCharsets.UTF_8);
        }
      };

  @ParameterizedTest
  @MethodSource("kinds")
  void readValue_ofPlainEntries_givesTheValue(TextKind<BinaryKey, Bytes> kind) {
    SegmentFixture<BinaryKey, Bytes> fixture = fixture(kind);
    for (int length : new int[] {0, 1, 127, 128, 3000, 200}) {
      fixture.store("key" + length, "v".repeat(length));
    }
    fixture.store("attributed", "value", Expiry.NEVER, 5, "a/b");

    for (int length : new int[] {0, 1, 127, 128, 3000, 200}) {
      assertEquals("v".repeat(length), read(fixture, "key" + length));
    }
    assertEquals("value", read(fixture, "attributed"));
    assertNull(read(fixture, "key2"));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void readValue_ofEntryWithLifespan_givesTheValueUntilItEnds(TextKind<BinaryKey, Bytes> kind) {
    SegmentFixture<BinaryKey, Bytes> fixture = fixture(kind);
    long now = fixture.env.nowMillis();
    fixture.store("a", "value", LIFESPAN_10);
    fixture.store("far", "value", new Expiry(Long.MAX_VALUE, Expiry.UNLIMITED), 1 << 30, "a/b");
    fixture.storeAt("old", "value", new Expiry(now, Expiry.UNLIMITED), 5, 5);

    fixture.env.moveClock(4);
    assertEquals("value", read(fixture, "old"));
    fixture.env.moveClock(5);
    assertEquals("value", read(fixture, "a"));
    fixture.env.moveClock(1);

    assertTrue(Segment.isExpired(read(fixture, "a")));
    assertTrue(Segment.isExpired(read(fixture, "old")));
    assertEquals("value", read(fixture, "far"));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void readValue_ofEntryWhoseUseCounts_leavesItToTheWindow(TextKind<BinaryKey, Bytes> kind) {
    SegmentFixture<BinaryKey, Bytes> fixture = fixture(kind);
    fixture.store("a", "value", IDLE_10);

    assertTrue(Segment.isUnclear(read(fixture, "a")));
  }

  @ParameterizedTest
  @ValueSource(ints = {EntryPages.SMALL_MAX, 20_000, 3_000_000})
  void readValue_ofLargeEntryOffTheHeap_leavesItToTheWindow(int length) {
    SegmentFixture<BinaryKey, Bytes> fixture = fixture(TextKind.OFF_HEAP);
    fixture.store("large", "v".repeat(length));
    fixture.store("a", "value");

    assertTrue(Segment.isUnclear(read(fixture, "large")));
    assertEquals("value", read(fixture, "a"));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void readValue_afterTheEntryMoved_givesTheValue(TextKind<BinaryKey, Bytes> kind) {
    SegmentFixture<BinaryKey, Bytes> fixture = fixture(kind);
    for (int round = 1; round < 40; round++) {
      for (int key = 0; key < 100; key++) {
        fixture.store("key" + key, (key + " ").repeat(1 + (round * key) % 90), LIFESPAN_10);
      }
      for (int key = 0; key < 100; key++) {
        String expected = (key + " ").repeat(1 + (round * key) % 90);
        assertEquals(expected, read(fixture, "key" + key));
      }
    }
  }
}
