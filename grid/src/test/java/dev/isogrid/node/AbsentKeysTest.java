package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.codec.ByteString;
import org.junit.jupiter.api.Test;

class AbsentKeysTest {
  private final AbsentKeys absent = new AbsentKeys(() -> 0, 1000);

  @Test
  void add_ofALongKey_takesNoMemory() {
    absent.add("k".repeat(513));
    absent.add(ByteString.of(new byte[513]));
    assertTrue(absent.isEmpty());
    absent.add("k".repeat(512));
    absent.add(ByteString.of(new byte[512]));
    assertTrue(absent.contains("k".repeat(512)));
    assertTrue(absent.contains(ByteString.of(new byte[512])));
    assertFalse(absent.contains("k"));
  }
}
