package dev.isogrid.node;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.Topology;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the other members for a cache that this node does not know. A node that has defined one
 * knows it before its caller does, so a cache that was defined anywhere before a question is found.
 * Thread-safe.
 */
final class CacheLookup {
  /*
   * question   name (UTF-8)
   * answer     the epoch of a topology that has the cache, or 0 (4)
   */
  private static final int SERVICE = 75;

  /** A member that does not answer by then is busy or gone; the answers of the others count. */
  private static final long TIMEOUT_MILLIS = 2_000;

  private final NodeCalls calls;
  private final Supplier<@Nullable Topology> topology;

  /** Begins to answer for others. */
  CacheLookup(NodeCalls calls, Supplier<@Nullable Topology> topology) {
    this.calls = calls;
    this.topology = topology;
    calls.offerPrompt(SERVICE, (_, name) -> answer(name));
  }

  private ByteString answer(ByteString name) {
    Topology known = topology.get();
    CacheDefinition found =
        known == null ? null : known.cache(new String(name.toByteArray(), StandardCharsets.UTF_8));
    int epoch = known == null || found == null ? 0 : known.epoch();
    return ByteString.of(ByteBuffer.allocate(Integer.BYTES).putInt(epoch).array());
  }

  /** The epoch of a topology in which some other member has seen a cache of a name; 0 if none. */
  int epochOf(String name) {
    Topology known = topology.get();
    ByteString question = ByteString.of(name.getBytes(StandardCharsets.UTF_8));
    List<CompletableFuture<ByteString>> answers = new ArrayList<>();
    for (Member member : known == null ? List.<Member>of() : known.members()) {
      if (!member.id().equals(calls.self())) {
        answers.add(calls.call(member.id(), SERVICE, question, TIMEOUT_MILLIS));
      }
    }
    int latest = 0;
    for (CompletableFuture<ByteString> answer : answers) {
      latest = Math.max(latest, epoch(answer));
    }
    return latest;
  }

  private static int epoch(CompletableFuture<ByteString> answer) {
    try {
      return answer.join().asReadOnlyBuffer().getInt();
    } catch (CompletionException _) {
      return 0; // busy or gone
    }
  }
}
