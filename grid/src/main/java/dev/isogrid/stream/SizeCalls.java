package dev.isogrid.stream;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.topology.NodeId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the counters of segments, with one question to each other node, which the receiving
 * thread answers. Thread-safe.
 */
final class SizeCalls {
  /*
   * question   length of the cache's name (4), name (UTF-8), segments (bits as BitSet has them)
   * answer     number of entries (8), the segments that it is of (bits)
   * All numbers are big-endian. Between nodes of the same version only.
   */
  private static final int SERVICE = 2;

  /** The time-out of a node, after which it is queried like in a stream, which takes more time. */
  private static final long TIMEOUT_MILLIS = 1_000;

  private final NodeCalls calls;

  /**
   * Begins to answer questions of other nodes.
   *
   * @param caches finds caches by their names
   */
  SizeCalls(NodeCalls calls, Function<String, @Nullable CacheEngine<?, ?>> caches) {
    this.calls = calls;
    calls.offerPrompt(SERVICE, (_, question) -> answer(question, caches));
  }

  private static ByteString answer(
      ByteString question, Function<String, @Nullable CacheEngine<?, ?>> caches) {
    ByteBuffer in = question.asReadOnlyBuffer();
    byte[] name = new byte[checked(in.getInt(), in)];
    in.get(name);
    CacheEngine<?, ?> engine = caches.apply(new String(name, StandardCharsets.UTF_8));
    BitSet counted = new BitSet();
    long size = engine == null ? 0 : count(engine, BitSet.valueOf(in), counted);
    byte[] bits = counted.toByteArray();
    ByteBuffer out = ByteBuffer.allocate(Long.BYTES + bits.length);
    return ByteString.of(out.putLong(size).put(bits).array());
  }

  private static int checked(int length, ByteBuffer in) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    return length;
  }

  /**
   * Adds up the counters that this node can answer from.
   *
   * @param counted gets the counted segments
   */
  private static long count(CacheEngine<?, ?> engine, BitSet segments, BitSet counted) {
    long size = 0;
    int all = engine.segmentCount();
    for (int segment = segments.nextSetBit(0);
        segment >= 0 && segment < all;
        segment = segments.nextSetBit(segment + 1)) {
      long since = engine.serving(segment);
      long count = since < 0 ? -1 : engine.promptCount(segment);
      if (count >= 0 && engine.hasServed(segment, since)) {
        size += count;
        counted.set(segment);
      }
    }
    return size;
  }

  /**
   * Adds up the counters of all nodes. Blocks during the questions.
   *
   * @param rest the wanted segments; the counted ones are cleared
   */
  long count(CacheEngine<?, ?> engine, BitSet rest) {
    Map<NodeId, BitSet> others = new HashMap<>();
    BitSet own = new BitSet();
    for (int segment = rest.nextSetBit(0); segment >= 0; segment = rest.nextSetBit(segment + 1)) {
      NodeId primary = engine.primary(segment);
      if (calls.self().equals(primary)) {
        own.set(segment);
      } else if (primary != null) {
        others.computeIfAbsent(primary, _ -> new BitSet()).set(segment);
      }
    }
    long timeoutMillis = Math.min(TIMEOUT_MILLIS, engine.timeoutMillis());
    Map<NodeId, CompletableFuture<ByteString>> answers = new HashMap<>();
    others.forEach((node, segments) ->
        answers.put(
            node, calls.call(node, SERVICE, question(engine.name(), segments), timeoutMillis)));
    BitSet counted = new BitSet();
    long size = count(engine, own, counted);
    rest.andNot(counted);
    for (Map.Entry<NodeId, CompletableFuture<ByteString>> each : answers.entrySet()) {
      ByteString answer = await(each.getValue());
      if (answer != null) {
        ByteBuffer in = answer.asReadOnlyBuffer();
        size += in.getLong();
        rest.andNot(BitSet.valueOf(in));
      }
    }
    return size;
  }

  private static ByteString question(String cache, BitSet segments) {
    byte[] name = cache.getBytes(StandardCharsets.UTF_8);
    byte[] bits = segments.toByteArray();
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + name.length + bits.length);
    return ByteString.of(out.putInt(name.length).put(name).put(bits).array());
  }

  /** An answer, or null if the node must be queried in another way. */
  private static @Nullable ByteString await(CompletableFuture<ByteString> answer) {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof NodeCallException) {
        return null;
      }
      throw StreamFailures.unchecked(failed.getCause());
    }
  }
}
