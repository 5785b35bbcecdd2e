package dev.isogrid.server.hotrod;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.server.net.HeldOutput;
import dev.isogrid.server.net.ServerContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.lang.System.Logger.Level;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request that is executed on a thread that may block, with its own copy of the bytes, its own
 * windows and scratch memory, and a reply that waits to be sent. Reusable. For one thread at a
 * time: the connection's event loop fills it, a virtual thread runs it, the event loop takes the
 * reply.
 */
final class AsideRequest implements Runnable {
  /**
   * Larger requests are not copied: the buffer of their arrival is retained, which is at most a few
   * times as large.
   */
  static final int COPIED_SIZE_MAX = 16 << 10;

  private static final System.Logger log = System.getLogger(AsideRequest.class.getName());

  /** A larger array is not kept for the next request. */
  private static final int KEPT_SIZE_MAX = 1024;

  private static final byte[] NOTHING = {};

  private final ByteBufAllocator allocator;
  private final Request request = new Request();
  private final RequestDecoder decoder;
  private final HeldOutput output = new HeldOutput();
  private final Operations operations;

  /** Holds the bytes of small requests. */
  private byte[] copy = NOTHING;

  private final NanoClock clock;

  private ByteBuf in = Unpooled.EMPTY_BUFFER;
  private int size;

  /** The time of the hand-over. */
  private long filledNanos;

  private @Nullable AsideRequests owner;

  /** The cache of this request, null for none; kept for the next one, which often has the same. */
  private @Nullable CacheHandle cache;

  private boolean hasCache;
  private @Nullable ConnectionState state;

  /** Whether it is carried out without a thread, and not finished. */
  private boolean isBegun;

  /** The bytes of the reply that count on the connection's share. */
  private long countedSize;

  /** The event loop's facts about the request. */
  private HandOver handOver = new HandOver(false, false, 0);

  /** The next one in the owner's list of finished requests. Guarded by that list. */
  @Nullable AsideRequest next;

  AsideRequest(ServerContext context, ByteBufAllocator allocator) {
    this.allocator = allocator;
    this.clock = context.node().env().nanoClock();
    // A request that gets here was decoded once, so no size is too large.
    this.decoder =
        new RequestDecoder(request, Integer.MAX_VALUE, context.node().env().epochClock());
    this.operations =
        Operations.thatMayBlock(context, request, new Reply(output, allocator), allocator);
  }

  ByteBufAllocator allocator() {
    return allocator;
  }

  /** The bytes of the request. */
  int size() {
    return size;
  }

  /** The bytes of the reply. */
  long replySize() {
    return output.size();
  }

  /**
   * Takes a request over.
   *
   * @param owner is notified after the execution
   * @param bytes the received request; borrowed
   * @param used the cache as the connection uses it, or null if there is none
   * @param state that of the connection
   */
  void fill(AsideRequests owner, ByteBuf bytes, @Nullable CacheHandle used, ConnectionState state) {
    int length = bytes.readableBytes();
    this.owner = owner;
    this.size = length;
    this.filledNanos = clock.nanoTime();
    if (length <= COPIED_SIZE_MAX) {
      if (copy.length < length) {
        copy = new byte[Math.max(length, KEPT_SIZE_MAX / 4)];
      }
      bytes.getBytes(bytes.readerIndex(), copy, 0, length);
      in = Unpooled.wrappedBuffer(copy, 0, length);
    } else {
      in = bytes.retainedDuplicate();
    }
    hasCache = used != null;
    if (used != null && (cache == null || !cache.isLike(used))) {
      cache = used.forOtherThread();
    }
    this.state = state;
    operations.state(state);
  }

  /** Sets the event loop's facts about the request. */
  void handOver(HandOver of) {
    handOver = of;
  }

  /** The facts of the last call of {@link #handOver(HandOver)}. */
  HandOver handOver() {
    return handOver;
  }

  /**
   * Begins the request without a thread that waits for other nodes, if that is possible; the owner
   * is notified when it can {@link #finish}. On the event loop.
   *
   * @return false if it has to be {@linkplain #run run}
   */
  boolean tryBegin() {
    CacheHandle used = hasCache ? cache : null;
    if (used == null || handOver.tellsState() || handOver.holdsBack()) {
      return false;
    }
    int start = in.readerIndex();
    isBegun = true; // before another thread has it
    try {
      decoder.decode(in);
      if (operations.tryBegin(used, () -> Objects.requireNonNull(owner).done(this))) {
        return true;
      }
    } catch (RuntimeException failure) {
      log.log(Level.TRACE, "a write is done by a thread that may block, which answers", failure);
    }
    isBegun = false;
    operations.release();
    in.readerIndex(start);
    return false;
  }

  /** Whether the request was begun, and is not finished. */
  boolean isBegun() {
    return isBegun;
  }

  /**
   * Writes the reply of a request that was begun and has its outcome, also if nobody takes it: its
   * client may repeat the request on another connection. For the thread that took the request.
   */
  void finish() {
    isBegun = false;
    try {
      operations.finish(Objects.requireNonNull(cache), filledNanos);
    } catch (Throwable failure) { // tidy: the client must get its answer
      operations.fail(failure);
    } finally {
      operations.release();
      endExecution();
    }
  }

  /** Executes the request, and notifies the owner in any case. */
  @Override
  public void run() {
    try {
      decoder.decode(in);
      request.storedCount = handOver.storedCount();
      operations.execute(hasCache ? cache : null, clock.nanoTime() - filledNanos);
    } catch (Throwable failure) { // tidy: the client must get its answer
      operations.fail(failure);
    } finally {
      operations.release();
      Objects.requireNonNull(owner).done(this);
    }
  }

  /** Counts the reply until it is taken or dropped. */
  void endExecution() {
    countedSize = output.uncountedSize();
    answers().take(countedSize);
  }

  private ByteBudget.Share answers() {
    return Objects.requireNonNull(state).shares().answers();
  }

  /** The reply, which the caller takes or drops. */
  HeldOutput output() {
    return output;
  }

  /** Notes that the reply was handed to the output. On the event loop. */
  void answered() {
    operations.answered();
  }

  /** Releases the request's bytes and the owner. */
  void release() {
    in.release();
    in = Unpooled.EMPTY_BUFFER;
    if (copy.length > KEPT_SIZE_MAX) {
      copy = NOTHING;
    }
    answers().give(countedSize);
    countedSize = 0;
    state = null;
    owner = null;
    next = null;
    operations.state(null);
    if (cache != null && cache.engine.isClosed()) {
      cache = null;
    }
  }
}
