package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObjectSegmentTest extends SegmentContract<Object, Object> {
  ObjectSegmentTest() {
    super(TextKind.OBJECTS);
  }

  private @Nullable Object get(String key) {
    return Objects.requireNonNull(fixture.container.objects()).get(key, ObjectTables.hash(key));
  }

  @Test
  void get_ofTables_findsWhatReadFinds() {
    fixture.store("plain", "1");
    fixture.store("flagged", "2", Expiry.NEVER, 3, null);
    fixture.store("mortal", "3", new Expiry(10, Expiry.UNLIMITED));

    assertEquals("1", get("plain"));
    assertEquals("2", get("flagged"));
    assertEquals("3", get("mortal"));
    assertNull(get("none"));
    fixture.env.moveClock(10);
    assertTrue(ObjectTables.isExpired(get("mortal")));
    assertFalse(ObjectTables.isExpired(get("plain")));
    assertFalse(ObjectTables.isExpired(get("none")));
    fixture.clear();
    assertNull(get("plain"));
  }

  @Test
  void get_ofEntryWithMaxIdle_postponesItsEnd() {
    fixture.store("a", "1", new Expiry(Expiry.UNLIMITED, 10));
    fixture.env.moveClock(9);
    assertEquals("1", get("a"));
    fixture.env.moveClock(9);
    assertEquals("1", get("a"));
    fixture.env.moveClock(10);
    assertTrue(ObjectTables.isExpired(get("a")));
  }

  @Test
  void store_ofEqualKey_keepsTheFirstKeyObject() {
    String first = new String(new char[] {'a'});
    String second = new String(new char[] {'a'});
    fixture.store(first, "1");
    fixture.store(second, "2");

    segment.lock();
    segment.locate("a", ObjectTables.hash("a"), fixture.view);
    segment.unlock();
    assertSame(first, fixture.view.key());
    assertEquals("2", fixture.view.value());
  }

  @Test
  void hash_ofCloseHashCodes_usesUpperAndLowerBits() {
    int upper = 0;
    int lower = 0;
    for (int i = 0; i < 64; i++) {
      upper |= 1 << (ObjectTables.hash(i) >>> 27 & 15);
      lower |= 1 << (ObjectTables.hash(i << 16) & 15);
    }
    assertEquals(0xFFFF, upper, "segments");
    assertEquals(0xFFFF, lower, "places");
  }
}
