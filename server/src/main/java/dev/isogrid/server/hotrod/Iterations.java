package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.concurrent.EventExecutor;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The iterations of a connection, and the operations on them. An iteration that is unused for 5 to
 * 10 minutes is given up. The connection's event loop begins and ends iterations; {@link #next} is
 * for any thread.
 */
final class Iterations {
  /**
   * The most iterations. Each holds the entries of a segment; clients have one per iterating
   * thread.
   */
  static final int OPEN_MAX = 256;

  static final int IDLE_MINUTES = 5;

  /** The approximate bytes of an iteration of a cache whose entries are only on this node. */
  private static final int LOCAL_BYTES = 64 << 10;

  /** The approximate bytes of an iteration that queries other nodes: what one of them may send. */
  private static final int CLUSTERED_BYTES = 1 << 20;

  private final EventExecutor executor;
  private final ConnectionShares shares;
  private final Map<String, Iteration> open = new ConcurrentHashMap<>();
  private long lastId;
  private boolean sweepScheduled;

  /**
   * Begins without iterations.
   *
   * @param executor the connection's event loop
   * @param shares the connection's
   */
  Iterations(EventExecutor executor, ConnectionShares shares) {
    this.executor = executor;
    this.shares = shares;
  }

  /** Begins an iteration and replies with its id. */
  void start(CacheHandle cache, Request request, Reply reply) {
    if (open.size() >= OPEN_MAX) {
      throw new InvalidRequestException(
          "too many iterations on one connection: limit=%d; end some first".formatted(OPEN_MAX));
    }
    BitSet segments = segments(cache, request);
    boolean keysOnly = keysOnly(request);
    take(sizeBytes(cache));
    CacheHandle own = cache.forOtherThread(); // entries are converted by the threads of requests
    Iteration iteration = new Iteration(request, own, segments, keysOnly);
    String id = Long.toString(++lastId);
    open.put(id, iteration);
    scheduleSweep();
    reply.begin(request, cache);
    WireWriter.string(reply.body(), id);
    reply.end();
  }

  private static int sizeBytes(CacheHandle cache) {
    return cache.mayWait ? CLUSTERED_BYTES : LOCAL_BYTES;
  }

  private void take(int sizeBytes) {
    if (!shares.iterations().tryTake(sizeBytes)) {
      throw new RetryableGridException(
          "too many iterations on this server: wanted=%d, %s; end some, or try again later"
              .formatted(sizeBytes, shares.iterations()));
    }
  }

  private static boolean keysOnly(Request request) {
    if (request.text.length <= 0) {
      return false;
    }
    boolean known =
        request.text.length == HotRod.EMPTY_VALUE_CONVERTER.length()
            && request.textAt(request.text).equals(HotRod.EMPTY_VALUE_CONVERTER);
    if (!known) {
      throw new InvalidRequestException(
          "unknown filter or converter: nameLength=%d; iterate without one"
              .formatted(request.text.length));
    }
    return true;
  }

  private static BitSet segments(CacheHandle cache, Request request) {
    int count = cache.engine.segmentCount();
    if (request.segments.length < 0) {
      BitSet all = new BitSet(count);
      all.set(0, count);
      return all;
    }
    int length = Math.min(request.segments.length, (count + Byte.SIZE - 1) / Byte.SIZE);
    BitSet wanted =
        BitSet.valueOf(ByteBufUtil.getBytes(request.in, request.segments.index, length));
    wanted.clear(count, Math.max(count, wanted.length()));
    return wanted;
  }

  /**
   * Replies with the next entries, none at the end, and the finished segments. Waits while another
   * thread uses the same iteration.
   */
  void next(CacheHandle cache, Request request, Reply reply, ByteBufAllocator allocator) {
    Iteration iteration = find(request);
    if (iteration == null || iteration.isClosed() || iteration.cache().engine.isClosed()) {
      unknown(cache, request, reply);
      return;
    }
    int expected = iteration.sizeExpected();
    try (EntryList entries =
        new EntryList(request, iteration.cache(), allocator, shares.answers(), expected)) {
      BitSet finished = iteration.next(entries, request.version);
      if (entries.count() == 0 && iteration.isClosed()) {
        unknown(cache, request, reply); // ended meanwhile: an empty answer would mean the end
        return;
      }
      reply.begin(request, cache);
      WireWriter.bytes(reply.body(), finished.toByteArray());
      WireWriter.vInt(reply.body(), entries.count());
      if (entries.count() > 0 && request.version >= Versions.V24) {
        WireWriter.vInt(reply.body(), 1);
      }
      reply.endWith(entries.take());
    }
  }

  private static void unknown(CacheHandle cache, Request request, Reply reply) {
    reply.begin(request, cache);
    reply.status(Statuses.UNKNOWN_ITERATION);
    WireWriter.vInt(reply.body(), 0); // no finished segments
    WireWriter.vInt(reply.body(), 0); // no entries
    reply.end();
  }

  /** Ends an iteration. */
  void end(CacheHandle cache, Request request, Reply reply) {
    boolean found = find(request) != null && ended(open.remove(id(request)));
    reply.begin(request, cache);
    reply.status(found ? Statuses.OK : Statuses.UNKNOWN_ITERATION);
    reply.end();
  }

  private boolean ended(@Nullable Iteration iteration) {
    if (iteration != null) {
      iteration.close();
      shares.iterations().give(sizeBytes(iteration.cache()));
    }
    return iteration != null;
  }

  private @Nullable Iteration find(Request request) {
    return request.text.length > Long.toString(Long.MAX_VALUE).length()
        ? null
        : open.get(id(request));
  }

  private static String id(Request request) {
    return request.in.toString(request.text.index, request.text.length, StandardCharsets.US_ASCII);
  }

  private void scheduleSweep() {
    if (!sweepScheduled) {
      sweepScheduled = true;
      executor.schedule(this::sweep, IDLE_MINUTES, TimeUnit.MINUTES);
    }
  }

  private void sweep() {
    sweepScheduled = false;
    open.values().removeIf(iteration -> !iteration.used && ended(iteration));
    open.values().forEach(iteration -> iteration.used = false);
    if (!open.isEmpty()) {
      scheduleSweep();
    }
  }

  /** Gives up all iterations. */
  void close() {
    open.values().removeIf(this::ended);
  }
}
