package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.server.net.ByteBudget;
import java.util.BitSet;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The filter of near caches, with positions recorded from another implementation. */
class NearFilterTest {
  private final ByteBudget budget = new ByteBudget("bytes", 2000, 0, () -> 0);
  private final ByteBudget.Share share = budget.newShare();

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  @ParameterizedTest
  @CsvSource({
    "16, 4a026e31, 2c",
    "16, 4a017a, 8004",
    "16, ff, 0806",
    "16, 4a037a3133, 0212",
    "64, 4a026e31, 000000002c",
    "64, 4a017a, 0000800000000004",
    "64, ff, 0004000008000002",
    "64, 4a037a3133, 020000100002"
  })
  void key_hasThePositionsThatClientsCompute(int bits, String key, String content) {
    NearFilter filter = new NearFilter(bits, share);
    assertFalse(filter.mayContain(bytes(key)));
    filter.replace(bytes(content));
    assertTrue(filter.mayContain(bytes(key)));
    BitSet positions = BitSet.valueOf(bytes(content));
    for (int missing : positions.stream().toArray()) {
      BitSet fewer = (BitSet) positions.clone();
      fewer.clear(missing);
      filter.replace(fewer.toByteArray());
      assertFalse(filter.mayContain(bytes(key)), "without bit " + missing);
    }
  }

  @Test
  void replace_withNothing_emptiesIt() {
    NearFilter filter = new NearFilter(64, share);
    filter.add(bytes("ff"));
    assertTrue(filter.mayContain(bytes("ff")));
    filter.replace(new byte[0]);
    assertFalse(filter.mayContain(bytes("ff")));
  }

  @Test
  void replace_withMoreThanItsBits_passesOverTheRest() {
    NearFilter filter = new NearFilter(16, share);
    filter.replace(bytes("0806ffffffffffffffffff"));
    assertTrue(filter.mayContain(bytes("ff")));
  }

  @Test
  void restart_withAnotherSize_emptiesIt() {
    NearFilter filter = new NearFilter(16, share);
    filter.add(bytes("ff"));
    filter.restart(4096, share);
    assertFalse(filter.mayContain(bytes("ff")));
  }

  @Test
  void create_beyondTheLimit_isRefused() {
    InvalidRequestException refused =
        assertThrows(
            InvalidRequestException.class, () -> new NearFilter(NearFilter.BITS_MAX + 1, share));
    assertEquals(
        "size of a near cache's filter: bits=67108865; allowed are 1 to 67108864",
        refused.getMessage());
    assertThrows(InvalidRequestException.class, () -> new NearFilter(0, share));
  }

  @Test
  void create_beyondTheShare_isRefusedAndCountsNothing() {
    NearFilter filter = new NearFilter(6000, share);
    assertEquals(filter.sizeBytes(), budget.used());
    InvalidRequestException refused =
        assertThrows(InvalidRequestException.class, () -> new NearFilter(6000, share));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("use a smaller near cache"),
        refused::getMessage);
    assertThrows(InvalidRequestException.class, () -> filter.restart(9000, share));
    filter.restart(32, share);
    assertEquals(filter.sizeBytes(), budget.used());
    share.give(filter.sizeBytes());
    assertEquals(0, budget.used());
  }
}
