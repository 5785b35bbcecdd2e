package dev.isogrid.structure;

import dev.isogrid.api.GridException;
import dev.isogrid.base.Env;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** This node's session, and the check of other nodes' sessions. Thread-safe. */
final class Sessions {
  /*
   * A session is an entry that its node writes periodically. A node that sees no change of an entry
   * for longer than a lease removes it, if it is still the same. So only differences on one node's
   * clock matter, and clocks need not agree. The owner counts its lease from before the write, the
   * others from after it: the owner considers itself dead first.
   *
   * An id is used once. A missing session never comes back, so a node may act on its absence at any
   * later time.
   */

  private static final System.Logger log = System.getLogger(Sessions.class.getName());

  static final String PREFIX = "h:";

  /** The part by which entries live longer than a lease, since clocks run differently. */
  private static final int MARGIN_FRACTION = 5;

  private final CacheEngine<BinaryKey, Bytes> engine;
  private final String node;
  private final Env env;
  private final LongSupplier random;
  private final long leaseNanos;
  private final AtomicReference<@Nullable Session> current = new AtomicReference<>();

  /** The observations of {@link #sweep} on each session. Only for the thread that sweeps. */
  private final Map<String, Sighting> seen = new HashMap<>();

  private record Sighting(long version, long sinceNanos) {}

  /** A session of this node. */
  static final class Session {
    private final String id;

    /** The beginning of the last successful renewal. Written by the thread that renews. */
    private volatile long renewedNanos;

    Session(String id, long renewedNanos) {
      this.id = id;
      this.renewedNanos = renewedNanos;
    }

    String id() {
      return id;
    }
  }

  Sessions(
      CacheEngine<BinaryKey, Bytes> engine,
      String node,
      long leaseMillis,
      Env env,
      LongSupplier random) {
    this.random = random;
    this.engine = engine;
    this.node = node;
    this.leaseNanos = TimeUnit.MILLISECONDS.toNanos(leaseMillis);
    this.env = env;
  }

  private long nowNanos() {
    return env.nanoClock().nanoTime();
  }

  private static BinaryKey key(String id) {
    return BinaryKey.of((PREFIX + id).getBytes(StandardCharsets.UTF_8));
  }

  private static Bytes nothing() {
    return Bytes.of(new byte[0]);
  }

  private boolean isLive(Session session) {
    return nowNanos() - session.renewedNanos < leaseNanos;
  }

  /** Whether this node has a session with an id and a valid lease. */
  boolean isLive(String id) {
    Session session = current.get();
    return session != null && session.id.equals(id) && isLive(session);
  }

  /** Whether a session exists. */
  boolean isThere(String id) {
    BinaryKey key = key(id);
    return engine.readBytes(key, key.hash()) != null;
  }

  /** The session of this node; a new one if the last one has ended. */
  Session live() {
    Session known = current.get();
    while (known == null || !isLive(known)) {
      String id = node + "-" + Long.toHexString(random.getAsLong());
      Session made = new Session(id, nowNanos());
      BinaryKey key = key(id);
      engine.write(
          key,
          key.hash(),
          new KeyWrite<BinaryKey, Bytes>().put(nothing()).when(KeyWrite.Condition.ABSENT));
      current.compareAndSet(known, made); // the session of one who was slower is never renewed
      known = current.get();
    }
    return known;
  }

  /** Renews this node's session, if it has one. */
  void renew() {
    Session session = current.get();
    if (session == null || !isLive(session)) {
      return;
    }
    long startNanos = nowNanos();
    BinaryKey key = key(session.id);
    KeyWrite<BinaryKey, Bytes> write =
        new KeyWrite<BinaryKey, Bytes>().put(nothing()).when(KeyWrite.Condition.PRESENT);
    try {
      engine.write(key, key.hash(), write);
    } catch (GridException failure) {
      log.log(Level.DEBUG, "session not renewed this time: node=" + node, failure);
      return;
    }
    if (write.outcome() == KeyWrite.Outcome.DONE) {
      session.renewedNanos = startNanos;
    } else {
      log.log(Level.WARNING, "session lost, and all locks with it: node={0}", node);
      current.compareAndSet(session, null);
    }
  }

  /** Removes the sessions that have not been renewed for longer than a lease. */
  void sweep() {
    Map<String, Long> now = new HashMap<>();
    EntryView<BinaryKey, Bytes> view = engine.newView();
    try (EntryWalk<BinaryKey, Bytes> walk = engine.walk()) {
      while (walk.next(view)) {
        String name = new String(view.key().toByteArray(), StandardCharsets.UTF_8);
        if (name.startsWith(PREFIX)) {
          now.put(name.substring(PREFIX.length()), view.version());
        }
      }
    }
    seen.keySet().retainAll(now.keySet());
    now.forEach(this::look);
  }

  private void look(String id, long version) {
    Sighting before = seen.get(id);
    if (before == null || before.version != version) {
      seen.put(id, new Sighting(version, nowNanos()));
    } else if (nowNanos() - before.sinceNanos > leaseNanos + leaseNanos / MARGIN_FRACTION) {
      BinaryKey key = key(id);
      KeyWrite<BinaryKey, Bytes> removal =
          new KeyWrite<BinaryKey, Bytes>().remove().whenVersion(version);
      engine.write(key, key.hash(), removal);
      if (removal.outcome() == KeyWrite.Outcome.DONE) {
        log.log(Level.INFO, "locks of a node that is gone are free: session={0}", id);
      }
    }
  }
}
