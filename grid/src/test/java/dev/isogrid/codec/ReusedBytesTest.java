package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import dev.isogrid.types.ObjectMarshaller;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReusedBytesTest {
  private static final BuiltInMarshaller MARSHALLER = new BuiltInMarshaller(ObjectMarshaller::new);

  private final ReusedBytes bytes = new ReusedBytes();

  private byte[] written(Object object) {
    MARSHALLER.write(object, bytes);
    return Arrays.copyOf(bytes.array(), bytes.length());
  }

  private void assertAsMarshalled(Object object) {
    assertArrayEquals(MARSHALLER.toBytes(object), written(object), object::toString);
    bytes.end();
  }

  @Test
  void write_ofScalars_givesTheBytesOfTheMarshaller() {
    List<Object> scalars =
        List.of(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0L, -1L, 127L, 128L, Long.MIN_VALUE);
    scalars.forEach(this::assertAsMarshalled);
    List<Object> others =
        List.of(1.5, -0.0, Double.NaN, 2.5f, true, false, 'c', 'ÿ', (short) -2, (byte) 3);
    others.forEach(this::assertAsMarshalled);
    for (int length : new int[] {0, 1, 125, 126, 127, 128, 129, 5000, 20_000, 3_000_000}) {
      byte[] content = new byte[length];
      Arrays.fill(content, (byte) -3);
      assertAsMarshalled(content);
    }
  }

  @Test
  void write_ofTextOfAnyLengthAndCharacters_givesTheBytesOfTheMarshaller() {
    List<String> ends =
        List.of("", "a", "\0", "é", "ÿ", "Ž", "語", "😀", "\ud83d", "\ude00", "\ude00\ud83d");
    List<Integer> lengths =
        List.of(0, 1, 8, 20, 23, 24, 25, 41, 42, 43, 62, 63, 126, 127, 128, 129, 2047, 2048, 2049);
    for (String filler : List.of("x", "\0", "ä", "š", "😀")) {
      for (int length : lengths) {
        for (String end : ends) {
          assertAsMarshalled(filler.repeat(length) + end);
          assertAsMarshalled(end + filler.repeat(length));
        }
      }
    }
    assertAsMarshalled("x".repeat(1 << 20));
  }

  @Test
  void write_ofRandomText_givesTheBytesOfTheMarshaller() {
    Seeds.run(
        1,
        random -> {
          for (int round = 0; round < 5000; round++) {
            assertAsMarshalled(anyText(random));
          }
        });
  }

  private static String anyText(Random random) {
    int wide = random.nextInt(5);
    char[] text = new char[random.nextInt(64)];
    for (int i = 0; i < text.length; i++) {
      text[i] = (char) random.nextInt(random.nextInt(5) < wide ? 0x10000 : 0x80);
    }
    return new String(text);
  }

  @Test
  void write_ofOtherObjects_showsTheBytesOfTheMarshaller() {
    assertAsMarshalled(new UUID(1, 2));
    assertAsMarshalled(new ArrayList<>(List.of("a", 1)));
  }

  @Test
  void write_again_usesTheSameArray() {
    written("a".repeat(100));
    byte[] first = bytes.array();
    bytes.end();
    written(7L);

    assertSame(first, bytes.array());
  }

  @Test
  void end_afterSomethingLarge_keepsALittle() {
    bytes.room(ReusedBytes.KEPT_MAX + 1);

    assertTrue(bytes.end());

    assertTrue(bytes.array().length <= ReusedBytes.KEPT_MAX);
    assertFalse(bytes.end(), "nothing is left to give up");
  }

  @Test
  void end_afterAnArrayWasShown_forgetsIt() {
    byte[] given = {1, 2};
    bytes.show(given);
    assertEquals(2, bytes.length());

    bytes.end();

    assertNotSame(given, bytes.array());
    assertEquals(0, bytes.length());
  }
}
