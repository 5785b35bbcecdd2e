package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.wire.KeyHash;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

class BinaryKeyTest {
  private static final byte[] ARRAY = {9, 1, 2, 3, 9};

  @Test
  void set_ofPartOfAnArray_isThatPart() {
    BinaryKey key = new BinaryKey().set(ARRAY, 1, 3);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    key.writeTo(written::write);

    assertEquals(3, key.length());
    assertArrayEquals(new byte[] {1, 2, 3}, key.toByteArray());
    assertArrayEquals(new byte[] {1, 2, 3}, written.toByteArray());
    assertEquals(KeyHash.hash(new byte[] {1, 2, 3}), key.hash());
    assertTrue(key.equalsRange(new byte[] {1, 2, 3}, 0, 3));
    assertFalse(key.equalsRange(new byte[] {1, 2, 4}, 0, 3));
    assertFalse(key.equalsRange(new byte[] {1, 2, 3}, 0, 2));
  }

  @Test
  void set_again_forgetsTheFirstKey() {
    BinaryKey key = BinaryKey.of(ARRAY);

    key.set(ARRAY, 0, 0);

    assertEquals(0, key.length());
    assertEquals(new BinaryKey().hash(), key.hash());
    assertEquals(KeyHash.hash(new byte[0]), key.hash());
  }
}
