package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.isogrid.wire.Versions;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LifetimeTest {
  private static byte[] written(Lifetime lifetime, int version, boolean takesTimes) {
    RequestWriter out = new RequestWriter();
    out.begin(version);
    if (takesTimes) {
      out.takeTimes();
    }
    lifetime.write(out);
    return Arrays.copyOfRange(out.array(), out.start(), out.end());
  }

  @Test
  void moment_forServersThatTakeOne_isSent() {
    Lifetime until = Lifetime.until(Instant.ofEpochMilli(300));
    byte[] expected = {(byte) 0x98, (byte) 0xAC, 0x02};
    assertArrayEquals(expected, written(until, Versions.V40, true));
  }

  @Test
  void moment_forOtherServers_isTheTimeUntilThen() {
    Lifetime past = Lifetime.until(Instant.EPOCH);
    assertArrayEquals(new byte[] {0x18, 1}, written(past, Versions.V40, false));
    assertArrayEquals(new byte[] {1, 0}, written(past, Versions.V20, false));
  }

  @Test
  void moment_thatNoNumberHas_isTheLastOne() {
    byte[] last = written(Lifetime.until(Instant.ofEpochMilli(Long.MAX_VALUE)), Versions.V40, true);
    assertArrayEquals(last, written(Lifetime.until(Instant.MAX), Versions.V40, true));
    byte[] first = written(Lifetime.until(Instant.ofEpochMilli(1)), Versions.V40, true);
    assertArrayEquals(first, written(Lifetime.until(Instant.MIN), Versions.V40, true));
  }
}
