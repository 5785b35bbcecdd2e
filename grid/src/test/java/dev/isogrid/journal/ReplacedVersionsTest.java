package dev.isogrid.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReplacedVersionsTest {
  private static final int SEGMENTS = 2;

  /** So many live bytes that a ring has 16 words. */
  private static final long LIVE_BYTES = 16L * 64 * 16 * SEGMENTS;

  private static final int LATEST = 15 * 64;

  private final ReplacedVersions versions = new ReplacedVersions(SEGMENTS);

  @Test
  void has_anyVersion_isTrueOnlyIfItWasAddedAndAlwaysForTheLatestOnes() {
    versions.liveBytes(LIVE_BYTES);
    Random random = new Random(1);
    Set<Long> added = new HashSet<>();
    long last = 0;
    for (long now = 1; now < 100_000; now += random.nextInt(1000) == 0 ? 5_000 : 1) {
      long version = Math.max(1, now - random.nextInt(3_000));
      versions.add(1, version);
      added.add(version);
      last = Math.max(last, version);
      long other = Math.max(1, now - random.nextInt(3_000) + 100);
      boolean isKnown = versions.has(1, other);
      assertTrue(!isKnown || added.contains(other), "version " + other + " at " + now);
      if (other > last - LATEST) {
        assertEquals(added.contains(other), isKnown, "version " + other + " at " + now);
      }
      assertFalse(versions.has(0, version));
    }
  }

  @Test
  void liveBytes_thatGrow_letMoreVersionsBeKnownAndForgetNone() {
    for (long version = 64; version < 128; version += 3) {
      versions.add(0, version);
    }
    versions.add(0, 128);
    assertFalse(versions.has(0, 64));
    versions.liveBytes(LIVE_BYTES);
    for (long version = 129; version < 1000; version++) {
      versions.add(0, version);
    }
    for (long version = 128; version < 1000; version++) {
      assertTrue(versions.has(0, version), "version " + version);
    }
    assertFalse(versions.has(0, 64));
    assertFalse(versions.has(0, 1000));
  }
}
