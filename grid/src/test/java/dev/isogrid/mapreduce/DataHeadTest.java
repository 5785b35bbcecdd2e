package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DataHeadTest {
  private static final DataHead FIRST = head(3, -1L);
  private static final DataHead SECOND = head(0, (5L << 40) | 0xFFFF_FFFFL);

  private static DataHead head(int length, long attempt) {
    return new DataHead(new UUID(1, -2), 3, 4, 5, attempt, length);
  }

  private static byte[] both() {
    PairBytes message = new PairBytes(8);
    FIRST.write(message);
    message.write(new byte[] {7, 8, 9}, 0, 3);
    SECOND.write(message);
    return message.take();
  }

  @Test
  void read_ofTwoInOneMessage_givesBoth() {
    byte[] message = both();
    assertEquals(2 * DataHead.BYTES + 3, message.length);
    assertEquals(FIRST, DataHead.read(message, 0));
    assertEquals(SECOND, DataHead.read(message, DataHead.BYTES + 3));
  }

  @Test
  void read_ofAMessageCutAnywhere_isRefused() {
    for (int length = 0; length < DataHead.BYTES + 3; length++) {
      byte[] cut = Arrays.copyOf(both(), length);
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> DataHead.read(cut, 0));
      assertTrue(String.valueOf(refused.getMessage()).contains("message=" + length + " B"));
    }
  }

  @Test
  void read_ofANegativeLength_isRefused() {
    PairBytes message = new PairBytes(8);
    head(-1, 1).write(message);
    byte[] bytes = message.take();
    assertThrows(IllegalArgumentException.class, () -> DataHead.read(bytes, 0));
  }
}
