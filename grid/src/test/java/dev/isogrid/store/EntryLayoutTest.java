package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import dev.isogrid.codec.ByteString;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EntryLayoutTest {
  private static final long EPOCH_BITS = 5L << Segment.SEQUENCE_BITS;
  private static final int[] SIZES = {0, 1, 15, 16, 127, 128, 300, 16_383, 16_384};
  private static final long[] SEQUENCES = {1, 127, 128, 16_384, Segment.SEQUENCE_MAX};
  private static final long[] TIMES = {
    0, 1, 127, 128, 1_780_272_000_000L, Long.MAX_VALUE - 1, Long.MAX_VALUE
  };
  private static final String[] MEDIA_TYPES = {
    "application/json", "text/plain", "a/b", "text/plain;charset=utf-16", "x".repeat(127)
  };

  @Test
  void encode_ofEveryCombinationOfFieldsAndSizes_isReadBack() {
    Seeds.run(
        1,
        random -> {
          for (int flags = 0; flags < 16; flags++) {
            for (int keySize : SIZES) {
              for (int valueSize : SIZES) {
                checkRoundTrip(
                    header(flags, random), bytes(keySize, random), bytes(valueSize, random));
              }
            }
          }
        });
  }

  private static EntryLayout.Header header(int flags, Random random) {
    EntryLayout.Header header = new EntryLayout.Header();
    header.sequence = SEQUENCES[random.nextInt(SEQUENCES.length)];
    header.createdMillis = TIMES[random.nextInt(TIMES.length)];
    header.lastUsedMillis = TIMES[random.nextInt(TIMES.length)];
    header.lifespanMillis = time((flags & EntryLayout.LIFESPAN) != 0, random);
    header.maxIdleMillis = time((flags & EntryLayout.MAX_IDLE) != 0, random);
    header.clientFlags = (flags & EntryLayout.CLIENT_FLAGS) != 0 ? random.nextInt() | 1 : 0;
    header.mediaType =
        (flags & EntryLayout.MEDIA_TYPE) != 0
            ? MEDIA_TYPES[random.nextInt(MEDIA_TYPES.length)]
            : null;
    return header;
  }

  private static long time(boolean limited, Random random) {
    return limited ? TIMES[random.nextInt(TIMES.length)] : -1;
  }

  private static byte[] bytes(int size, Random random) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void checkRoundTrip(EntryLayout.Header header, byte[] key, byte[] value) {
    BinaryKey binaryKey = BinaryKey.of(key);
    byte[] entry = EntryLayout.encode(header, binaryKey, Bytes.of(value));
    BinaryView view = new BinaryView();
    view.point(entry, EPOCH_BITS);
    assertEquals(mortal(header), EntryLayout.isMortal(entry[0]));
    checkFields(view, header, key, value);
    checkKey(entry, binaryKey);
    checkTouch(view, header, key, value);

    byte[] rest = EntryLayout.encodeWithoutValue(header, binaryKey, value.length);
    view.pointWithValue(rest, 0, Bytes.of(ByteString.of(value)), EPOCH_BITS);
    checkFields(view, header, key, value);
    checkTouch(view, header, key, value);
  }

  private static boolean mortal(EntryLayout.Header header) {
    return header.lifespanMillis >= 0 || header.maxIdleMillis >= 0;
  }

  private static void checkFields(
      BinaryView view, EntryLayout.Header header, byte[] key, byte[] value) {
    boolean mortal = mortal(header);
    assertTrue(view.isPresent());
    assertArrayEquals(key, view.key().toByteArray());
    assertArrayEquals(value, view.value().toByteArray());
    assertEquals(EPOCH_BITS | header.sequence, view.version());
    assertEquals(mortal, view.isMortal());
    assertEquals(mortal ? header.createdMillis : -1, view.createdMillis());
    assertEquals(header.lifespanMillis, view.lifespanMillis());
    assertEquals(header.maxIdleMillis, view.maxIdleMillis());
    assertEquals(header.maxIdleMillis >= 0 ? header.lastUsedMillis : -1, view.lastUsedMillis());
    assertEquals(header.clientFlags, view.clientFlags());
    assertEquals(header.mediaType, view.mediaType());
  }

  /** A part of an array keeps all of it: a long key must not stay for a short value. */
  @Test
  void toByteString_ofAValue_sharesTheArrayOfTheEntryIfTheValueIsMostOfIt() {
    assertSharesArray(true, 10, 1000);
    assertSharesArray(false, 1000, 10);
    assertSharesArray(false, 1000, 0);
  }

  private static void assertSharesArray(boolean isShared, int keySize, int valueSize) {
    byte[] value = bytes(valueSize, new Random(1));
    BinaryKey key = BinaryKey.of(new byte[keySize]);
    byte[] entry = EntryLayout.encode(header(0, new Random(1)), key, Bytes.of(value));
    BinaryView view = new BinaryView();
    view.point(entry, EPOCH_BITS);
    ByteString taken = view.value().toByteString();
    assertArrayEquals(value, taken.toByteArray());
    assertEquals(isShared, Arrays.equals(entry, taken.sharedArray()));
    assertTrue(isShared || taken.sharedArray().length == valueSize);
  }

  private static void checkKey(byte[] entry, BinaryKey key) {
    assertTrue(EntryLayout.isKey(entry, key));
    assertEquals(key.hash(), EntryLayout.keyHash(entry, 0));
    byte[] longer = new byte[key.length() + 1];
    key.copyTo(longer, 0);
    assertFalse(EntryLayout.isKey(entry, BinaryKey.of(longer)));
    if (key.length() > 0) {
      byte[] other = key.toByteArray();
      other[other.length - 1] ^= 1;
      assertFalse(EntryLayout.isKey(entry, BinaryKey.of(other)));
    }
  }

  private static void checkTouch(
      BinaryView view, EntryLayout.Header header, byte[] key, byte[] value) {
    view.touch(42);

    assertEquals(header.maxIdleMillis >= 0 ? 42 : -1, view.lastUsedMillis());
    assertEquals(EPOCH_BITS | header.sequence, view.version());
    assertArrayEquals(key, view.key().toByteArray());
    assertArrayEquals(value, view.value().toByteArray());
  }

  @Test
  void encode_ofPlainEntry_costsFourBytes() {
    EntryLayout.Header header = new EntryLayout.Header();
    header.sequence = 1;
    header.lifespanMillis = -1;
    header.maxIdleMillis = -1;

    byte[] entry = EntryLayout.encode(header, BinaryKey.of(new byte[10]), Bytes.of(new byte[20]));

    assertEquals(1 + 1 + 1 + 10 + 20 + 1, entry.length);
  }

  @Test
  void varint_ofEveryLength_isReadBackAndSized() {
    byte[] array = new byte[12];
    for (int bits = 0; bits <= 64; bits++) {
      for (long delta = -1; delta <= 1; delta++) {
        long number = (bits == 64 ? 0 : 1L << bits) + delta;
        int after = EntryLayout.putVarint(array, 1, number);

        assertEquals(number, EntryLayout.varint(array, 1));
        assertEquals(after, EntryLayout.afterVarint(array, 1));
        assertEquals(after - 1, EntryLayout.varintSize(number));
      }
    }
  }

  @Test
  void point_atAbsence_isNotPresentUntilTheNextEntry() {
    EntryLayout.Header header = header(15, new Random(1));
    byte[] full = EntryLayout.encode(header, BinaryKey.of(new byte[3]), Bytes.of(new byte[4]));
    BinaryView view = new BinaryView();

    view.point(full, EPOCH_BITS);
    view.point(null, EPOCH_BITS);

    assertFalse(view.isPresent());
    view.point(full, EPOCH_BITS);
    assertTrue(view.isPresent());
    assertNotEquals(0, view.clientFlags());
  }
}
