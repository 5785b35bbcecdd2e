package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WrappedScalarTest {
  private static final int FUZZ_RUNS = 200_000;

  private static final Set<Class<?>> TYPES =
      Set.of(
          String.class,
          byte[].class,
          Integer.class,
          Long.class,
          Boolean.class,
          Character.class,
          Short.class,
          Byte.class,
          Double.class,
          Float.class);

  /** By the rules of protocol buffers. */
  private static final Map<Object, String> KNOWN =
      Map.ofEntries(
          Map.entry("", "4a00"),
          Map.entry("a", "4a0161"),
          Map.entry("\u20ac", "4a03e282ac"),
          Map.entry(0, "2800"),
          Map.entry(300, "28ac02"),
          Map.entry(-1, "28ffffffffffffffffff01"),
          Map.entry(Integer.MIN_VALUE, "2880808080f8ffffffff01"),
          Map.entry(1L, "1801"),
          Map.entry(Long.MIN_VALUE, "1880808080808080808001"),
          Map.entry(true, "4001"),
          Map.entry(false, "4000"),
          Map.entry('a', "a00161"),
          Map.entry('\uffff', "a001ffff03"),
          Map.entry((short) -2, "a801feffffffffffffffff01"),
          Map.entry((byte) 5, "b00105"),
          Map.entry(1.0, "09000000000000f03f"),
          Map.entry(-2.5f, "15000020c0"));

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static byte[] wrapped(Object object) {
    return Objects.requireNonNull(WrappedScalar.of(object));
  }

  @Test
  void of_eachType_isTheKnownBytes() {
    KNOWN.forEach((object, bytes) -> {
      assertEquals(bytes, HexFormat.of().formatHex(wrapped(object)), object::toString);
      assertEquals(object, WrappedScalar.toObject(hex(bytes)));
    });
    assertArrayEquals(hex("520300ff80"), wrapped(hex("00ff80")));
    assertArrayEquals(hex("00ff80"), (byte[]) WrappedScalar.toObject(hex("520300ff80")));
    assertArrayEquals(hex("00ff80"), (byte[]) WrappedScalar.toObject(hex("52830000ff80")));
  }

  @Test
  void of_otherTypes_isNull() {
    assertNull(WrappedScalar.of(List.of()));
    assertNull(WrappedScalar.of(new int[1]));
    assertNull(WrappedScalar.of(Optional.empty()));
  }

  private static Object anyScalar(Random random) {
    return switch (random.nextInt(9)) {
      case 0 -> random.nextInt() >> random.nextInt(32);
      case 1 -> random.nextLong() >> random.nextInt(64);
      case 2 -> random.nextBoolean();
      case 3 -> (char) random.nextInt();
      case 4 -> (short) random.nextInt();
      case 5 -> (byte) random.nextInt();
      case 6 -> Double.longBitsToDouble(random.nextLong());
      case 7 -> Float.intBitsToFloat(random.nextInt());
      default -> "\u20acx".repeat(random.nextInt(200));
    };
  }

  @Test
  void toObject_ofAnyWrappedScalar_isEqual() {
    Seeds.run(
        1,
        random -> {
          for (int i = 0; i < 20_000; i++) {
            Object scalar = anyScalar(random);
            assertEquals(scalar, WrappedScalar.toObject(wrapped(scalar)));
          }
        });
  }

  @Test
  void toObject_ofEveryCutAndExtension_isNull() {
    Seeds.run(
        1,
        random -> {
          for (int i = 0; i < 300; i++) {
            byte[] whole = wrapped(anyScalar(random));
            for (int length = 0; length < whole.length; length++) {
              assertNull(WrappedScalar.toObject(Arrays.copyOf(whole, length)));
            }
            assertNull(WrappedScalar.toObject(Arrays.copyOf(whole, whole.length + 1)));
          }
        });
  }

  @Test
  void toObject_ofHugeLength_isNull() {
    for (String length :
        List.of(
            "ffffffff07", // 2^31 - 1
            "8080808008", // 2^31
            "ffffffff0f",
            "ffffffffffffffff7f",
            "ffffffffffffffffff01", // -1
            "80808080808080808001", // the smallest number
            "ffffffffffffffffffffff01")) { // too long
      assertNull(WrappedScalar.toObject(hex("4a" + length + "61")));
      assertNull(WrappedScalar.toObject(hex("52" + length)));
    }
  }

  @Test
  void toObject_ofRandomBytes_isAScalarOrNull() {
    Seeds.run(
        1,
        random -> {
          int scalars = 0;
          for (int i = 0; i < FUZZ_RUNS; i++) {
            byte[] bytes = i % 2 == 0 ? noise(random) : mutated(random);
            Object object = WrappedScalar.toObject(bytes);
            checkAgree(bytes, object);
            scalars += object == null ? 0 : 1;
          }
          assertTrue(scalars > FUZZ_RUNS / 100, "scalars: " + scalars);
        });
  }

  private static void checkAgree(byte[] bytes, @Nullable Object object) {
    byte[] text = WrappedScalar.toText(bytes);
    byte[] content = WrappedScalar.toBytes(bytes);
    if (object == null) {
      assertNull(text);
      assertNull(content);
      return;
    }
    assertTrue(TYPES.contains(object.getClass()), () -> "type: " + object.getClass());
    assertNotNull(text);
    assertEquals(object instanceof String || object instanceof byte[], content != null);
  }

  private static byte[] noise(Random random) {
    byte[] bytes = new byte[random.nextInt(16)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] mutated(Random random) {
    byte[] bytes = wrapped(anyScalar(random));
    for (int i = random.nextInt(3); i >= 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }

  @Test
  void toText_ofEachType_isReadable() {
    assertEquals("-7", text(-7));
    assertEquals("true", text(true));
    assertEquals("c", text('c'));
    assertEquals("1.5", text(1.5));
    assertEquals("x\u20ac", text("x\u20ac"));
    assertInstanceOf(byte[].class, WrappedScalar.toText(wrapped(hex("ff"))));
  }

  private static String text(Object object) {
    return new String(
        Objects.requireNonNull(WrappedScalar.toText(wrapped(object))), StandardCharsets.UTF_8);
  }

  @Test
  void contentOfAnyLength_isReadBack_andNothingThatIsCutOff() {
    for (int length : new int[] {0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152}) {
      byte[] content = new byte[length];
      Arrays.fill(content, (byte) 'x');
      byte[] bytes = WrappedScalar.ofBytes(content);
      assertArrayEquals(content, (byte[]) WrappedScalar.toObject(bytes));
      byte[] text = WrappedScalar.ofText(content);
      assertEquals("x".repeat(length), WrappedScalar.toObject(text));
      assertNull(WrappedScalar.toObject(Arrays.copyOf(bytes, bytes.length - 1)));
      assertNull(WrappedScalar.toObject(Arrays.copyOf(text, text.length + 1)));
    }
  }
}
