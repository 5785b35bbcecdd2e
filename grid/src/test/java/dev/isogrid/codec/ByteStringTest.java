package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ByteStringTest {
  private final byte[] array = {9, 1, 2, 3, 9};
  private final ByteString part = ByteString.of(array, 1, 3);
  private final ByteString whole = ByteString.of(new byte[] {1, 2, 3});

  @Test
  void part_isAsAWholeArrayOfItsBytes() {
    assertEquals(whole, part);
    assertEquals(part, whole);
    assertEquals(whole.hashCode(), part.hashCode());
    assertNotEquals(ByteString.of(array, 0, 3), part);
    assertNotEquals(ByteString.of(array, 1, 2), part);
    assertEquals(3, part.length());
    assertArrayEquals(new byte[] {1, 2, 3}, part.toByteArray());
    assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), part.asReadOnlyBuffer());
    assertEquals(2, part.asReadOnlyBuffer().get(1));
    byte[] target = new byte[5];
    part.copyTo(target, 2);
    assertArrayEquals(new byte[] {0, 0, 1, 2, 3}, target);
  }

  @Test
  void part_keepsTheArray_andCopyOfDoesNot() {
    assertSame(array, part.sharedArray());
    assertEquals(1, part.sharedFrom());
    ByteString copy = ByteString.copyOf(array, 1, 3);
    array[2] = 7;
    assertEquals(whole, copy);
    assertNotEquals(whole, part);
  }

  @Test
  void partThatIsNotThere_isRefused() {
    assertThrows(IndexOutOfBoundsException.class, () -> ByteString.of(array, 3, 3));
    assertThrows(IndexOutOfBoundsException.class, () -> ByteString.of(array, -1, 2));
  }
}
