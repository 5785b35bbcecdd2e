package dev.isogrid.node;

import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits until the listeners of all members heard of the changes of an internal cache that were made
 * before. Each member asks its own node, so a copy that it keeps by listening is as new as that.
 * Thread-safe.
 */
final class HeardEverywhere {
  /*
   * question   name of the cache (UTF-8)
   * answer     empty
   */
  private static final int SERVICE = 76;

  /** Much longer than it takes until a member that does not answer is removed. */
  private static final long TIMEOUT_MILLIS = 10_000;

  /** How long a member may take before it is asked again. */
  private static final long ASK_MILLIS = 2_000;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final ByteString EMPTY = ByteString.of(new byte[0]);

  private final NodeCalls calls;
  private final NanoClock clock;
  private final Supplier<@Nullable Topology> topology;

  /**
   * Begins to answer for others.
   *
   * @param engines the node's internal caches by their names; null for one that it does not use yet
   */
  HeardEverywhere(
      NodeCalls calls,
      NanoClock clock,
      Supplier<@Nullable Topology> topology,
      Function<String, @Nullable CacheEngine<BinaryKey, Bytes>> engines) {
    this.calls = calls;
    this.clock = clock;
    this.topology = topology;
    calls.offer(SERVICE, (_, name) -> serve(name, engines));
  }

  private static ByteString serve(
      ByteString name, Function<String, @Nullable CacheEngine<BinaryKey, Bytes>> engines) {
    CacheEngine<BinaryKey, Bytes> engine =
        engines.apply(new String(name.toByteArray(), StandardCharsets.UTF_8));
    if (engine != null) {
      engine.awaitHeard();
    }
    return EMPTY;
  }

  /**
   * Waits for all members, this node included. Blocks.
   *
   * @throws IndeterminateGridException if one stays a member and does not say in time that it heard
   */
  void await(String cacheName) {
    ByteString question = ByteString.of(cacheName.getBytes(StandardCharsets.UTF_8));
    long deadline = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    Set<NodeId> open = members();
    while (true) {
      String failure = ask(open, question);
      open.retainAll(members());
      if (open.isEmpty()) {
        return;
      }
      if (clock.nanoTime() - deadline >= 0) {
        throw new IndeterminateGridException(
            "done, but not known to all nodes: cache=%s, waited=%d ms, %s; repeat it, or wait"
                .formatted(cacheName, TIMEOUT_MILLIS, failure));
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private Set<NodeId> members() {
    Topology known = topology.get();
    Set<NodeId> members = new HashSet<>();
    for (Member member : known == null ? List.<Member>of() : known.members()) {
      members.add(member.id());
    }
    return members;
  }

  /** Asks nodes, and takes those that heard out of the set; returns the last failure, or "". */
  private String ask(Set<NodeId> open, ByteString question) {
    Map<NodeId, CompletableFuture<ByteString>> answers = new HashMap<>();
    open.forEach(id -> answers.put(id, calls.call(id, SERVICE, question, ASK_MILLIS)));
    String[] failure = {""};
    answers.forEach((id, answer) -> {
      try {
        answer.join();
        open.remove(id);
      } catch (CompletionException failed) {
        failure[0] = String.valueOf(failed.getCause());
      }
    });
    return failure[0];
  }
}
