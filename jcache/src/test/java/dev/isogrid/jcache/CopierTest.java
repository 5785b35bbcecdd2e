package dev.isogrid.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import javax.cache.CacheException;
import org.junit.jupiter.api.Test;

class CopierTest {
  private final Copier copier = new Copier(CopierTest.class.getClassLoader());

  private record Order(String customer, int cents, Instant when) {}

  private record Basket(List<String> items) {}

  @Test
  void copy_ofWhatNobodyCanChange_isTheObjectItself() {
    for (Object object :
        List.of("text", 1L, UUID.randomUUID(), Instant.EPOCH, new Order("Ada", 1, Instant.MAX))) {
      assertSame(object, copier.copy(object));
    }
  }

  @Test
  void copy_ofASerializableObject_isAnotherThatEqualsIt() {
    for (Object object :
        List.of(BitSet.valueOf(new long[] {7}), new ArrayList<>(List.of("a")), new long[] {1})) {
      Object copy = copier.copy(object);
      assertNotSame(object, copy);
      if (!object.getClass().isArray()) {
        assertEquals(object, copy);
      }
    }
  }

  @Test
  void copy_ofAnObjectThatCannotBeCopied_saysWhatToDo() {
    CacheException e =
        assertThrows(CacheException.class, () -> copier.copy(new Basket(new ArrayList<>())));

    assertTrue(
        String.valueOf(e.getMessage()).contains("Basket; make it Serializable"), e::getMessage);
  }

  @Test
  void copy_byNone_isTheObjectItself() {
    BitSet bits = new BitSet();
    assertSame(bits, Copier.NONE.copy(bits));
  }
}
