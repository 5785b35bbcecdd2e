package dev.isogrid.engine;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.NodeCallException.Reason;
import dev.isogrid.topology.NodeId;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Which node runs the function that loads a key of a clustered cache, so that others wait for it
 * and don't run their own. Thread-safe; calls block.
 */
public final class Claims {
  /*
   * The primary of a key's segment keeps a table of claims: key, node, and the node's number of the
   * claim. A node that wants a key asks the primary. If another node has the key, the asker asks
   * that node to answer when its claim ends, and then asks the primary again, naming the claim that
   * ended; the primary gives the key to the first that does. So a claim needs no lease: that of a
   * node that died, or whose release was lost, ends when somebody wants the key.
   *
   * Claims save work and keep nothing correct: the value is written on the condition that there is
   * none. So a table that is lost with a primary, or that is full, only lets functions run that
   * would have waited; and where a primary does not answer, a key is loaded without a claim.
   *
   * Layouts as in MessageLayout.
   *
   *    claim    number 8, has one ended 1, its node 16, its number 8, cache 4, key
   *    answer   is another's 1, its node 16, its number 8
   *    release  number 8, cache 4, key
   *    await    number 8; answered by whether it ended, 1
   */
  private static final int CLAIM = 71;

  private static final int RELEASE = 72;
  private static final int AWAIT = 73;

  /** Claims of one primary: some 200 bytes each beside the key. A full table is emptied. */
  private static final int CLAIMS_MAX = 65_536;

  /** Nodes that wait here for claims to end: half of the calls that a node serves at a time. */
  private static final int AWAITS_MAX = 500;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How long a primary that gives no answer keeps a caller, who then goes on without a claim. */
  private static final long ANSWER_MILLIS = 1000;

  private record Holder(NodeId node, long number) {}

  /** A claim of this node, until it is closed. */
  public static final class Claim implements AutoCloseable {
    /** Of a key that no other node can want. */
    static final Claim NONE = new Claim(() -> {});

    private final Runnable ending;

    /** What ends it. */
    Claim(Runnable ending) {
      this.ending = ending;
    }

    /** Lets others have the key. */
    @Override
    public void close() {
      ending.run();
    }
  }

  private final NodeCalls calls;
  private final NanoClock clock;
  private final AtomicLong numbers = new AtomicLong();
  private final Semaphore awaits = new Semaphore(AWAITS_MAX);

  /** As the primary of their segments. */
  private final Map<EntryKey, Holder> holders = new ConcurrentHashMap<>();

  /** The claims of this node. */
  private final Map<Long, CountDownLatch> own = new ConcurrentHashMap<>();

  /** Serves the other nodes from now on. */
  public Claims(NodeCalls calls, NanoClock clock) {
    this.calls = calls;
    this.clock = clock;
    calls.offerPrompt(CLAIM, (from, request) -> serveClaim(from, reader(request)));
    calls.offerPrompt(RELEASE, (from, request) -> serveRelease(from, reader(request)));
    calls.offer(AWAIT, (_, request) -> serveAwait(reader(request)));
  }

  /**
   * Claims a key, after those who have it.
   *
   * @param place names cache and key, for messages
   * @throws RetryableGridException if others have it for too long
   */
  Claim claim(NodeId primary, EntryKey key, long timeoutMillis, String place) {
    long deadline = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    long number = begin();
    boolean isClaimed = false;
    try {
      Holder holder = ask(primary, key, number, null);
      while (holder != null) {
        awaitEnd(holder, deadline, timeoutMillis, place);
        holder = ask(primary, key, number, holder);
      }
      isClaimed = true;
    } finally {
      if (!isClaimed) {
        end(number);
      }
    }
    return new Claim(() -> release(primary, key, number));
  }

  /** Claims a key unless another node has it. */
  @Nullable Claim tryClaim(NodeId primary, EntryKey key) {
    long number = begin();
    if (ask(primary, key, number, null) != null) {
      end(number);
      return null;
    }
    return new Claim(() -> release(primary, key, number));
  }

  private long begin() {
    long number = numbers.incrementAndGet();
    own.put(number, new CountDownLatch(1));
    return number;
  }

  private void end(long number) {
    CountDownLatch latch = own.remove(number);
    if (latch != null) {
      latch.countDown();
    }
  }

  private void release(NodeId primary, EntryKey key, long number) {
    MessageWriter out = new MessageWriter();
    out.putLong(number);
    put(out, key);
    CompletableFuture<ByteString> _ = calls.call(primary, RELEASE, bytes(out), ANSWER_MILLIS);
    end(number);
  }

  /** Asks a primary for a key; returns its holder, or null if it is this node's from now on. */
  private @Nullable Holder ask(NodeId primary, EntryKey key, long number, @Nullable Holder over) {
    MessageWriter out = new MessageWriter();
    out.putLong(number);
    out.putBoolean(over != null);
    out.putNode(over == null ? calls.self() : over.node);
    out.putLong(over == null ? 0 : over.number);
    put(out, key);
    try {
      MessageReader in = reader(answer(calls.call(primary, CLAIM, bytes(out), ANSWER_MILLIS)));
      return in.bool("held") ? holder(in) : null;
    } catch (NodeCallException | MalformedMessageException noAnswer) {
      return null; // the primary is gone, or of another version: loaded without a claim
    }
  }

  private static Holder holder(MessageReader in) throws MalformedMessageException {
    return new Holder(in.node("node"), in.int64("number"));
  }

  private void awaitEnd(Holder holder, long deadline, long timeoutMillis, String place) {
    MessageWriter out = new MessageWriter();
    out.putLong(holder.number);
    while (true) {
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - clock.nanoTime());
      if (millis <= 0) {
        throw new RetryableGridException(
            "function of another node has not ended in time: %s, waited=%d ms, node=%s; try again"
                .formatted(place, timeoutMillis, calls.names().of(holder.node)));
      }
      try {
        if (reader(answer(calls.call(holder.node, AWAIT, bytes(out), millis))).bool("ended")) {
          return;
        }
      } catch (MalformedMessageException unknown) {
        return;
      } catch (NodeCallException failed) {
        boolean isInTime = deadline - clock.nanoTime() > 0;
        if (failed.reason() != Reason.BUSY && isInTime) {
          return; // the node is gone, and its claim with it
        }
      }
      clock.pause(PAUSE_NANOS);
    }
  }

  private static ByteString answer(CompletableFuture<ByteString> call) {
    try {
      return call.get();
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw new RetryableGridException("interrupted while another node's function ran", e);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof NodeCallException ofCall) {
        throw ofCall;
      }
      throw new AssertionError(failed);
    }
  }

  // ---- what other nodes ask for

  private ByteString serveClaim(NodeId from, MessageReader in) throws MalformedMessageException {
    Holder wanted = new Holder(from, in.int64("number"));
    boolean hasOver = in.bool("over");
    Holder over = holder(in);
    EntryKey key = key(in);
    if (holders.size() >= CLAIMS_MAX) {
      holders.clear();
    }
    Holder holder =
        holders.compute(
            key,
            (_, current) ->
                current == null || (hasOver && current.equals(over)) ? wanted : current);
    MessageWriter out = new MessageWriter();
    out.putBoolean(!holder.equals(wanted));
    out.putNode(holder.node);
    out.putLong(holder.number);
    return bytes(out);
  }

  private ByteString serveRelease(NodeId from, MessageReader in) throws MalformedMessageException {
    Holder holder = new Holder(from, in.int64("number"));
    holders.remove(key(in), holder);
    return ByteString.of(new byte[0]);
  }

  private ByteString serveAwait(MessageReader in)
      throws MalformedMessageException, InterruptedException {
    CountDownLatch latch = own.get(in.int64("number"));
    boolean isEnded = latch == null;
    if (latch != null && awaits.tryAcquire()) {
      try {
        latch.await(); // interrupted when the asker waits no more
        isEnded = true;
      } finally {
        awaits.release();
      }
    }
    MessageWriter out = new MessageWriter();
    out.putBoolean(isEnded);
    return bytes(out);
  }

  // ---- bytes

  private static void put(MessageWriter out, EntryKey key) {
    out.putInt(key.cacheId());
    out.putBytes(ByteString.of(key.bytes()));
  }

  private static EntryKey key(MessageReader in) throws MalformedMessageException {
    return new EntryKey(in.int32("cache"), in.bytes("key").toByteArray());
  }

  private static MessageReader reader(ByteString bytes) throws MalformedMessageException {
    byte[] array = bytes.toByteArray();
    return new MessageReader(array, 0, array.length);
  }

  private static ByteString bytes(MessageWriter out) {
    return ByteString.of(out.toByteArray());
  }
}
