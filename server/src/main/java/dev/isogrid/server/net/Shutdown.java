package dev.isogrid.server.net;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.node.Node;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Stops servers on clients' requests: in an orderly way, after the requests in progress.
 * Thread-safe.
 */
public final class Shutdown {
  /** The number of the service among nodes that stops a server. */
  private static final int STOP = 60;

  /** The number of the service that does nothing, and so shows that a server can be stopped. */
  private static final int READY = 59;

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
    node.calls().offer(READY, (_, _) -> EMPTY);
    node.calls()
        .offer(
            STOP,
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
   * Begins to stop servers of the cluster, this one last; waits until each has begun. Asks all of
   * them first, so that either all stop or none.
   *
   * @param names of the nodes; empty for all
   * @param isForced whether those that answer stop, even if others don't
   * @throws RetryableGridException if one does not answer; the message says which servers stop
   */
  public void stop(Collection<String> names, boolean isForced) {
    Topology topology = node.topology();
    List<Member> others = new ArrayList<>();
    boolean isThis = topology == null || names.isEmpty() || names.contains(node.nodeName());
    for (Member member : topology == null ? List.<Member>of() : topology.members()) {
      boolean isMeant = names.isEmpty() || names.contains(member.profile().name());
      if (isMeant && !member.id().equals(node.calls().self())) {
        others.add(member);
      }
    }
    Map<String, String> silent = isForced ? Map.of() : failures(others, READY);
    if (!silent.isEmpty()) {
      throw new RetryableGridException(
          ("nothing is stopped, since servers don't answer: servers=%s; try again when they are"
                  + " back or have left the cluster, or stop the others with force=true")
              .formatted(silent));
    }
    Map<String, String> unconfirmed = failures(others, STOP);
    if (isThis) {
      stop();
    }
    if (!unconfirmed.isEmpty()) {
      throw new RetryableGridException(
          "all servers stop but those that did not confirm it: unconfirmed=%s; look at these only"
              .formatted(unconfirmed));
    }
  }

  /** Calls a service of nodes; returns the failures by the nodes' names. */
  private Map<String, String> failures(List<Member> members, int service) {
    Map<Member, CompletableFuture<ByteString>> answers = new LinkedHashMap<>();
    for (Member member : members) {
      answers.put(member, node.calls().call(member.id(), service, EMPTY, TIMEOUT_MILLIS));
    }
    Map<String, String> failures = new TreeMap<>();
    answers.forEach((member, answer) -> {
      try {
        answer.join();
      } catch (CompletionException failure) {
        failures.put(member.profile().name(), String.valueOf(failure.getCause()));
      }
    });
    return failures;
  }
}
