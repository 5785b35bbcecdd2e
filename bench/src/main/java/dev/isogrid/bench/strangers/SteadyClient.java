package dev.isogrid.bench.strangers;

import dev.isogrid.bench.run.RealTime;
import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.client.SaslConfig;
import java.util.Arrays;
import java.util.Objects;

/** A client that has logged in and reads and writes at a steady rate. For one thread. */
final class SteadyClient implements AutoCloseable {
  private static final String VALUE = "v".repeat(1000);
  private static final int KEYS = 1000;

  /** A time longer than any interesting wait. */
  private static final int ANSWER_MILLIS_MAX = 30_000;

  /** Samples of a phase: some minutes at the rate that the pauses allow. */
  private static final int SAMPLES_MAX = 1_000_000;

  private final RemoteCacheManager manager;
  private final RemoteCache<String, String> cache;

  /**
   * Logs in.
   *
   * @param port of the server, on the loopback address
   */
  SteadyClient(int port, String user, String password) {
    this.manager =
        new RemoteCacheManager(
            ClientConfig.builder()
                .addServer("127.0.0.1", port)
                .operationTimeoutMillis(ANSWER_MILLIS_MAX)
                .sasl(SaslConfig.password(user, password))
                .build());
    this.cache = Objects.requireNonNull(manager.getCache("default"), "no cache default");
  }

  /**
   * The figures of a phase.
   *
   * @param operations their number
   * @param medianMicros the median latency
   * @param p99Micros the latency of the 99 % quantile
   * @param maxMicros the longest latency
   */
  record Figures(int operations, double medianMicros, double p99Micros, double maxMicros) {
    private static Figures of(long[] nanos, int count) {
      Arrays.sort(nanos, 0, count);
      return new Figures(
          count, nanos[count / 2] / 1e3, nanos[(int) (count * 0.99)] / 1e3, nanos[count - 1] / 1e3);
    }
  }

  /** Writes and reads in turns for a time, with a pause of a millisecond after each. */
  Figures measure(int seconds) throws InterruptedException {
    long[] nanos = new long[SAMPLES_MAX];
    int count = 0;
    long startNanos = RealTime.nanos();
    while (count < SAMPLES_MAX && RealTime.secondsSince(startNanos) < seconds) {
      String key = "k" + count / 2 % KEYS;
      long beforeNanos = RealTime.nanos();
      if (count % 2 == 0) {
        cache.put(key, VALUE);
      } else {
        Objects.requireNonNull(cache.get(key), "entry lost");
      }
      nanos[count] = RealTime.nanos() - beforeNanos;
      count++;
      RealTime.pause(1);
    }
    return Figures.of(nanos, count);
  }

  @Override
  public void close() {
    manager.close();
  }
}
