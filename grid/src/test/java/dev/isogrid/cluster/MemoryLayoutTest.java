package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryLayoutTest {
  @Test
  void fromBytes_ofWhatWasWritten_isTheSame() throws Exception {
    for (int seed = 0; seed < 200; seed++) {
      Memory memory = new RandomMembership(new Random(seed)).memory();
      assertEquals(memory, MemoryLayout.fromBytes(MemoryLayout.toBytes(memory)), "seed " + seed);
    }
  }

  @Test
  void fromBytes_ofAnUnknownFormat_saysWhichOne() {
    byte[] bytes = MemoryLayout.toBytes(new RandomMembership(new Random(1)).memory());
    ByteBuffer.wrap(bytes).putInt(8, 1);
    MalformedMessageException refused =
        assertThrows(MalformedMessageException.class, () -> MemoryLayout.fromBytes(bytes));
    assertEquals("unknown format: format=1, known=2", refused.getMessage());
  }

  @Test
  void fromBytes_ofDamagedOrCutBytes_refuses() {
    byte[] bytes = MemoryLayout.toBytes(new RandomMembership(new Random(1)).memory());
    for (int at = 0; at < bytes.length; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 4;
      assertThrows(
          MalformedMessageException.class, () -> MemoryLayout.fromBytes(damaged), "at " + at);
      byte[] cut = Arrays.copyOf(bytes, at);
      assertThrows(MalformedMessageException.class, () -> MemoryLayout.fromBytes(cut), "at " + at);
    }
  }
}
