package dev.isogrid.client;

import java.util.concurrent.TimeUnit;

/**
 * How a client keeps several connections to each server, for servers with protocol 3.1 or older.
 * Needs the artifact {@code isogrid-client-pooled}. The names are those of {@code
 * infinispan.client.hotrod.connection_pool.*}.
 *
 * @param maxActive the most connections to one server, 1 or more; -1 for as many as {@link
 *     RequestLimits#operationsMax}
 * @param exhaustedAction the action when all of them are busy
 * @param maxWait how long a request waits then, in milliseconds; -1 for as long as it may take
 * @param minIdle how many connections without work are held ready for each server that was used; -1
 *     and 0 for none
 * @param minEvictableIdleTime after how many milliseconds without work a connection is closed, 1 or
 *     more; -1 for never
 * @param maxPendingRequests how many requests may be unanswered on one connection, 1 or more
 */
public record ConnectionPoolConfig(
    int maxActive,
    ExhaustedAction exhaustedAction,
    long maxWait,
    int minIdle,
    long minEvictableIdleTime,
    int maxPendingRequests) {
  /**
   * One request at a time on each connection, and a new connection for each request that finds none
   * free.
   */
  public static final ConnectionPoolConfig DEFAULT =
      new ConnectionPoolConfig(
          -1, ExhaustedAction.CREATE_NEW, -1, -1, TimeUnit.MINUTES.toMillis(30), 1);

  private static final int LIMIT = 100_000;

  /** Checks the numbers. */
  public ConnectionPoolConfig {
    check("max_active", maxActive, maxActive == -1 || (maxActive >= 1 && maxActive <= LIMIT));
    check("max_wait", maxWait, maxWait >= -1);
    check("min_idle", minIdle, minIdle >= -1 && minIdle <= LIMIT);
    check(
        "min_evictable_idle_time",
        minEvictableIdleTime,
        minEvictableIdleTime == -1 || minEvictableIdleTime >= 1);
    check("max_pending_requests", maxPendingRequests, maxPendingRequests >= 1);
    check("max_pending_requests", maxPendingRequests, maxPendingRequests <= LIMIT);
  }

  private static void check(String name, long value, boolean isValid) {
    if (!isValid) {
      throw new IllegalArgumentException(
          "invalid setting of the connection pool: %s=%d; see ConnectionPoolConfig"
              .formatted(name, value));
    }
  }

  /** Puts a pool together, as part of a client's configuration. For one thread. */
  public static final class Builder {
    private final ClientConfig.Builder whole;
    private int maxActive = DEFAULT.maxActive;
    private ExhaustedAction exhaustedAction = DEFAULT.exhaustedAction;
    private long maxWait = DEFAULT.maxWait;
    private int minIdle = DEFAULT.minIdle;
    private long minEvictableIdleTime = DEFAULT.minEvictableIdleTime;
    private int maxPendingRequests = DEFAULT.maxPendingRequests;

    Builder(ClientConfig.Builder whole) {
      this.whole = whole;
    }

    /** Default: -1. See {@link ConnectionPoolConfig}, as for all that follows. */
    public Builder maxActive(int value) {
      maxActive = value;
      return this;
    }

    /** Default: {@link ExhaustedAction#CREATE_NEW}. */
    public Builder exhaustedAction(ExhaustedAction value) {
      exhaustedAction = value;
      return this;
    }

    /** Default: -1. */
    public Builder maxWait(long millis) {
      maxWait = millis;
      return this;
    }

    /** Default: -1. */
    public Builder minIdle(int value) {
      minIdle = value;
      return this;
    }

    /** Default: 30 minutes. */
    public Builder minEvictableIdleTime(long millis) {
      minEvictableIdleTime = millis;
      return this;
    }

    /** Default: 1. */
    public Builder maxPendingRequests(int value) {
      maxPendingRequests = value;
      return this;
    }

    /** The pool alone. */
    ConnectionPoolConfig pool() {
      return new ConnectionPoolConfig(
          maxActive, exhaustedAction, maxWait, minIdle, minEvictableIdleTime, maxPendingRequests);
    }

    /** Returns to the rest of the configuration. */
    public ClientConfig.Builder and() {
      return whole;
    }

    /** The configuration. */
    public ClientConfig build() {
      return whole.build();
    }
  }
}
