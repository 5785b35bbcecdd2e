package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectSizeTest {
  @Test
  void of_arrays_isHeaderAndElementsRoundedUp() {
    assertEquals(16, ObjectSize.of(new byte[0]));
    assertEquals(24, ObjectSize.of(new byte[1]));
    assertEquals(24, ObjectSize.of(new boolean[8]));
    assertEquals(32, ObjectSize.of(new char[5]));
    assertEquals(24, ObjectSize.of(new short[4]));
    assertEquals(24, ObjectSize.of(new int[2]));
    assertEquals(24, ObjectSize.of(new float[1]));
    assertEquals(32, ObjectSize.of(new long[2]));
    assertEquals(32, ObjectSize.of(new double[2]));
  }

  @Test
  void of_boxes_isOneObject() {
    assertEquals(16, ObjectSize.of(1));
    assertEquals(16, ObjectSize.of(true));
    assertEquals(16, ObjectSize.of('c'));
    assertEquals(24, ObjectSize.of(1L));
    assertEquals(24, ObjectSize.of(1.0));
  }

  @Test
  void of_strings_dependsOnTheirCharacters() {
    assertEquals(24 + 32, ObjectSize.of("0123456789"));
    assertEquals(24 + 40, ObjectSize.of("\u20ac123456789"));
  }

  @Test
  void of_anotherClass_isRefusedWithItsName() {
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> ObjectSize.of(List.of()));

    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.contains(List.of().getClass().getName()), message);
    assertTrue(message.contains("max-count") && message.contains("OFF_HEAP"), message);
  }
}
