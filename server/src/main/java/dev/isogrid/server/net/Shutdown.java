package dev.isogrid.server.net;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.node.Node;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Stops servers on clients' requests: in an orderly way, after the requests in progress.
 * Thread-safe.
 */
public final class Shutdown {
  /** The number of the service among nodes. */
  private static final int SERVICE = 60;

  private static final long TIMEOUT_MILLIS = 10_000;
  private static final ByteString EMPTY = ByteString.of(new byte[0]);

  private final Node node;
  private final Runnable close;

  /**
   * Lets other servers request the stop of this one as well.
   *
   * @param close stops this server; may take long; repeated calls are harmless
   */
  public Shutdown(Node node, Runnable close) {
    this.node = node;
    this.close = close;
    node.calls()
        .offer(
            SERVICE,
            (_, _) -> {
              stop();
              return EMPTY;
            });
  }

  /** Begins to stop this server; does not wait. */
  public void stop() {
    Thread.ofPlatform().name("isogrid-stop").start(close);
  }

  /**
   * Begins to stop servers of the cluster, this one last; waits until each has begun.
   *
   * @param names of the nodes; empty for all
   * @throws RetryableGridException if one did not confirm its stop; the others stop
   */
  public void stop(Collection<String> names) {
    Topology topology = node.topology();
    List<CompletableFuture<ByteString>> others = new ArrayList<>();
    boolean isThis = topology == null || names.isEmpty() || names.contains(node.nodeName());
    for (Member member : topology == null ? List.<Member>of() : topology.members()) {
      boolean isMeant = names.isEmpty() || names.contains(member.profile().name());
      if (isMeant && !member.id().equals(node.calls().self())) {
        others.add(node.calls().call(member.id(), SERVICE, EMPTY, TIMEOUT_MILLIS));
      }
    }
    try {
      CompletableFuture.allOf(others.toArray(CompletableFuture<?>[]::new)).join();
    } catch (CompletionException failure) {
      throw new RetryableGridException(
          "not all servers stop: %s; look at the others and try again"
              .formatted(failure.getCause()),
          failure);
    } finally {
      if (isThis) {
        stop();
      }
    }
  }
}
