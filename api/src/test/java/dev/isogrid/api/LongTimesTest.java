package dev.isogrid.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Times that stand for no limit. */
class LongTimesTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  @Test
  void writeBehind_mayWaitForEver() {
    assertEquals(Long.MAX_VALUE, WriteBehind.DEFAULT.timeout(FOREVER).timeoutMillis());
  }

  @Test
  void timeoutsOfACluster_leaveRoomForSums() {
    ClusterConfig config =
        ClusterConfig.builder()
            .operationTimeout(Long.MAX_VALUE, TimeUnit.DAYS)
            .joinTimeout(FOREVER)
            .leaveTimeout(FOREVER)
            .foundAfter(FOREVER)
            .build();
    for (long millis :
        new long[] {
          config.operationTimeoutMillis(),
          config.joinTimeoutMillis(),
          config.leaveTimeoutMillis(),
          config.foundAfterMillis()
        }) {
      assertTrue(millis > TimeUnit.DAYS.toMillis(10_000));
      assertTrue(TimeUnit.MILLISECONDS.toNanos(Math.multiplyExact(2, millis)) < Long.MAX_VALUE);
    }
  }
}
