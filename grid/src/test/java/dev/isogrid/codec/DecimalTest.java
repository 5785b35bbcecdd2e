package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
  private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

  private static Decimal read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    Decimal decimal = new Decimal().reset();
    for (int i = 0; i < bytes.length; i++) {
      decimal.accept(bytes, i, i + 1);
    }
    return decimal;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "007, 7",
    "18446744073709551615, -1",
    "000018446744073709551615, -1",
    "+5, 5",
    "-0, 0",
    "' \t\n5', 5",
    "'5 x', 5",
    "'5\rx', 5",
    "-18446744073709551615, 1",
    "-9223372036854775809, 9223372036854775807"
  })
  void isUnsigned_ofWhatStrtoullTakes_isTrue(String text, long number) {
    assertTrue(read(text).isUnsigned());
    assertEquals(number, read(text).number());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-",
        "+",
        "x",
        "5x",
        "- 5",
        "--5",
        "-1",
        "18446744073709551616",
        "99999999999999999999",
        "184467440737095516150",
        "-9223372036854775808",
        "18446744073709551616 ",
        "18446744073709551615 -",
        "\0"
      })
  void isUnsigned_ofOtherText_isFalse(String text) {
    assertFalse(read(text).isUnsigned());
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, 9223372036854775807",
    "-9223372036854775808, -9223372036854775808",
    "-1, -1",
    "'-1 x', -1"
  })
  void isSigned_ofWhatStrtolTakes_isTrue(String text, long number) {
    assertTrue(read(text).isSigned());
    assertEquals(number, read(text).number());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "9223372036854775808", "-9223372036854775809", "18446744073709551615", "1-"})
  void isSigned_ofOtherText_isFalse(String text) {
    assertFalse(read(text).isSigned());
  }

  @Test
  void accept_textThatGoesOnAfterAZeroByte_ignoresTheRest() {
    assertTrue(read("12\0x").isUnsigned());
    assertEquals(12, read("12\0x").number());
  }

  @Test
  void format_ofRandomNumbers_isWhatAcceptReads() {
    long seed = Long.getLong("seed", 20_260_101L);
    SplittableRandom random = new SplittableRandom(seed);
    byte[] target = new byte[Decimal.LENGTH_MAX];
    for (int i = 0; i < 10_000; i++) {
      long number = random.nextLong() >>> random.nextInt(64);
      int from = Decimal.format(number, target);
      String text = new String(target, from, target.length - from, StandardCharsets.US_ASCII);
      assertEquals(Long.toUnsignedString(number), text, () -> "seed=" + seed);
      assertTrue(read(text).isUnsigned());
      assertEquals(number, read(text).number());
    }
  }

  @Test
  void isUnsigned_ofNumbersAroundTheLimit_tellsThoseBeyond() {
    for (int i = -20; i < 20; i++) {
      BigInteger number = TWO_TO_64.add(BigInteger.valueOf(i));
      assertEquals(i < 0, read(number.toString()).isUnsigned(), number::toString);
    }
  }
}
