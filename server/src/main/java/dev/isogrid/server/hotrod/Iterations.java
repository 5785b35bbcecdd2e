package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.concurrent.EventExecutor;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The iterations of a connection, and the operations on them. Those that are not used for 5 to 10
 * minutes are given up.
 */
final class Iterations {
  /** Each holds the entries of a segment; clients have one for each thread that iterates. */
  static final int OPEN_MAX = 256;

  static final int IDLE_MINUTES = 5;

  private final Request request;
  private final Reply reply;
  private final ByteBufAllocator allocator;
  private final EventExecutor executor;
  private final Map<String, Iteration> open = new HashMap<>();
  private long lastId;
  private boolean sweepScheduled;

  Iterations(Request request, Reply reply, ByteBufAllocator allocator, EventExecutor executor) {
    this.request = request;
    this.reply = reply;
    this.allocator = allocator;
    this.executor = executor;
  }

  /** Begins an iteration and tells its id. */
  void start(CacheHandle cache) {
    if (open.size() >= OPEN_MAX) {
      throw new InvalidRequestException(
          "too many iterations on one connection: limit=%d; end some first".formatted(OPEN_MAX));
    }
    Iteration iteration = new Iteration(request, cache, segments(cache), keysOnly());
    String id = Long.toString(++lastId);
    open.put(id, iteration);
    scheduleSweep();
    reply.begin(request, cache);
    WireWriter.string(reply.body(), id);
    reply.end();
  }

  private boolean keysOnly() {
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

  private BitSet segments(CacheHandle cache) {
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

  /** Tells the next entries; none, and all segments as finished, at the end. */
  void next(CacheHandle cache) {
    Iteration iteration = find();
    if (iteration == null || iteration.cache().engine.isClosed()) {
      reply.begin(request, cache);
      reply.status(Statuses.UNKNOWN_ITERATION);
      WireWriter.vInt(reply.body(), 0);
      WireWriter.vInt(reply.body(), 0);
      reply.end();
      return;
    }
    try (EntryList entries = new EntryList(request, iteration.cache(), allocator)) {
      iteration.next(entries, request.version);
      reply.begin(request, cache);
      byte[] finished = entries.count() > 0 ? new byte[0] : iteration.segments().toByteArray();
      WireWriter.bytes(reply.body(), finished);
      WireWriter.vInt(reply.body(), entries.count());
      if (entries.count() > 0 && request.version >= Versions.V24) {
        WireWriter.vInt(reply.body(), 1);
      }
      reply.endWith(entries.take());
    }
  }

  /** Ends an iteration. */
  void end(CacheHandle cache) {
    boolean found = find() != null && open.remove(id()) != null;
    reply.begin(request, cache);
    reply.status(found ? Statuses.OK : Statuses.UNKNOWN_ITERATION);
    reply.end();
  }

  private @Nullable Iteration find() {
    return request.text.length > Long.toString(Long.MAX_VALUE).length() ? null : open.get(id());
  }

  private String id() {
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
    open.values().removeIf(iteration -> !iteration.used);
    open.values().forEach(iteration -> iteration.used = false);
    if (!open.isEmpty()) {
      scheduleSweep();
    }
  }

  /** Gives all iterations up. */
  void close() {
    open.clear();
  }
}
