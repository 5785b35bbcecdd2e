package dev.isogrid.node;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.Topology;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;

/**
 * Waits until the other members have a cache that this node has, with its present configuration, or
 * have it no more either: they hear of a decision a moment later than the node that asked for it.
 * Thread-safe.
 */
final class SettledCaches {
  /*
   * question   epoch of the asking node's topology (4), name (UTF-8)
   * answer     empty, when the answering node has such a topology, and what it says of the cache
   */
  private static final int SERVICE = 81;

  /** A member that does not answer by then is busy or gone. */
  private static final long TIMEOUT_MILLIS = 2_000;

  private static final ByteString EMPTY = ByteString.of(new byte[0]);

  private final NodeCalls calls;
  private final NodeCluster cluster;
  private final Predicate<String> isHere;
  private final Predicate<String> isAsConfigured;

  /**
   * Begins to answer for others.
   *
   * @param isHere whether this node has a cache of a name
   * @param isAsConfigured whether that cache has the configuration that this node heard of; the
   *     cluster is signalled when it gets that
   */
  SettledCaches(
      NodeCalls calls,
      NodeCluster cluster,
      Predicate<String> isHere,
      Predicate<String> isAsConfigured) {
    this.calls = calls;
    this.cluster = cluster;
    this.isHere = isHere;
    this.isAsConfigured = isAsConfigured;
    calls.offer(SERVICE, (_, question) -> answer(question.asReadOnlyBuffer()));
  }

  private ByteString answer(ByteBuffer question) {
    int epoch = question.getInt();
    String name = StandardCharsets.UTF_8.decode(question).toString();
    boolean _ = cluster.await(() -> isSettled(epoch, name), TIMEOUT_MILLIS);
    return EMPTY;
  }

  private boolean isSettled(int epoch, String name) {
    Topology known = cluster.topology();
    return known != null
        && known.epoch() >= epoch
        && (known.cache(name) != null) == isHere.test(name)
        && isAsConfigured.test(name);
  }

  /** Waits for each member that answers in time. Blocks. */
  void await(String name) {
    Topology known = cluster.topology();
    if (known == null) {
      return;
    }
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer question = ByteBuffer.allocate(Integer.BYTES + bytes.length);
    ByteString asked = ByteString.of(question.putInt(known.epoch()).put(bytes).array());
    List<CompletableFuture<ByteString>> answers = new ArrayList<>();
    for (Member member : known.members()) {
      if (!member.id().equals(calls.self())) {
        answers.add(calls.call(member.id(), SERVICE, asked, TIMEOUT_MILLIS));
      }
    }
    answers.forEach(SettledCaches::awaitAnswer);
  }

  private static void awaitAnswer(CompletableFuture<ByteString> answer) {
    try {
      answer.join();
    } catch (CompletionException _) {
      // busy or gone, or of a version that does not answer: it hears of the cache by itself
    }
  }
}
