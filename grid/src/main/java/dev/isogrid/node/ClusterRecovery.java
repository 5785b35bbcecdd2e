package dev.isogrid.node;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.LostMajority;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.ClusterDriver;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Recovery;
import dev.isogrid.topology.Topology;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Lets an operator recover from a majority that is gone for good: the members that are left go on
 * without it, and the operator knows what may be lost. Thread-safe.
 */
final class ClusterRecovery {
  private static final System.Logger log = System.getLogger(ClusterRecovery.class.getName());

  /** The number of the service that tells other nodes what a member knows. */
  private static final int SERVICE = 78;

  /** How long other members have to answer. */
  private static final long ANSWER_MILLIS = 1_000;

  /** Longer than members take to agree, or to find that they don't. */
  private static final long AGREEMENT_MILLIS = 5_000;

  /** How often it is looked for a refusal. */
  private static final long LOOK_MILLIS = 100;

  private static final int ANSWER_BYTES = Integer.BYTES + 1;

  private final String nodeName;
  private final ClusterDriver driver;
  private final NodeCalls calls;
  private final TopologyWait topologies;

  ClusterRecovery(String nodeName, ClusterDriver driver, NodeCalls calls, TopologyWait topologies) {
    this.nodeName = nodeName;
    this.driver = driver;
    this.calls = calls;
    this.topologies = topologies;
    calls.offer(SERVICE, (_, _) -> state());
  }

  /** A member's answer: the epoch that it knows, and whether a majority answers it. */
  private record State(int epoch, boolean isLeased) {}

  private ByteString state() {
    Topology known = driver.topology();
    ByteBuffer out = ByteBuffer.allocate(ANSWER_BYTES).putInt(known == null ? 0 : known.epoch());
    return ByteString.of(out.put((byte) (driver.isLeased() ? 1 : 0)).array());
  }

  /** A situation, and the nodes that it is about. */
  private record Loss(LostMajority told, Set<NodeId> missing, int epoch) {}

  /** See {@link dev.isogrid.api.Rebalancing#lostMajority}. */
  @Nullable LostMajority lostMajority() {
    Loss loss = look();
    return loss == null ? null : loss.told();
  }

  /** Asks all members; returns null if a majority answers one of them. */
  private @Nullable Loss look() {
    Topology known = driver.topology();
    if (known == null || known.member(driver.self()) == null) {
      throw new InvalidRequestException(
          "not a member of a cluster: node=%s%s; ask a server that was in the cluster when it lost"
                  .formatted(nodeName, known == null ? "" : ", members=" + names(known))
              + " its majority");
    }
    if (driver.isLeased()) {
      return null;
    }
    Map<NodeId, CompletableFuture<ByteString>> asked = new HashMap<>();
    for (Member member : known.members()) {
      if (!member.id().equals(driver.self())) {
        ByteString nothing = ByteString.of(new byte[0]);
        asked.put(member.id(), calls.call(member.id(), SERVICE, nothing, ANSWER_MILLIS));
      }
    }
    Set<NodeId> missing = new TreeSet<>();
    for (Map.Entry<NodeId, CompletableFuture<ByteString>> each : asked.entrySet()) {
      State state = answer(each.getValue());
      if (state == null) {
        missing.add(each.getKey());
      } else if (state.isLeased() || state.epoch() > known.epoch()) {
        return null; // or this node is about to learn that the cluster goes on
      }
    }
    long voters = known.voters().stream().filter(voter -> !missing.contains(voter)).count();
    return known.isMajority((int) voters) ? null : loss(known, missing);
  }

  private static @Nullable State answer(CompletableFuture<ByteString> answer) {
    try {
      ByteString bytes = answer.join();
      ByteBuffer in = ByteBuffer.wrap(bytes.toByteArray());
      return bytes.length() == ANSWER_BYTES ? new State(in.getInt(), in.get() != 0) : null;
    } catch (CompletionException _) {
      return null; // the caller lists the members that did not answer
    }
  }

  private Loss loss(Topology known, Set<NodeId> missing) {
    Recovery recovery = new Recovery(known, missing);
    LostMajority told =
        new LostMajority(
            "%d-%08x".formatted(known.epoch(), missing.toString().hashCode()),
            names(known, recovery.staying()),
            names(known, missing),
            recovery.lostSegments(),
            !driver.knowsEndOf(missing));
    return new Loss(told, missing, known.epoch());
  }

  private static List<String> names(Topology known) {
    return names(known, known.members().stream().map(Member::id).toList());
  }

  private static List<String> names(Topology known, Collection<NodeId> nodes) {
    return nodes.stream().map(known::nameOf).toList();
  }

  /** See {@link dev.isogrid.api.Rebalancing#recoverMajority}. */
  LostMajority recoverMajority(String confirmation) {
    Loss loss = look();
    if (loss == null) {
      throw new InvalidRequestException(
          "nothing to recover: node=%s; a majority of the voters answers".formatted(nodeName));
    }
    LostMajority told = loss.told();
    if (!told.confirmation().equals(confirmation)) {
      throw new InvalidRequestException(
          ("not what was confirmed: confirmed=%s, now=%s, staying=%s, missing=%s; look at what is"
                  + " lost now, and confirm that")
              .formatted(confirmation, told.confirmation(), told.staying(), told.missing()));
    }
    log.log(
        Level.WARNING,
        "an operator lets the cluster go on without its majority: node={0}, staying={1},"
            + " missing={2}, lostSegments={3}, mayLackWrites={4}",
        nodeName,
        told.staying(),
        told.missing(),
        told.lostSegments(),
        told.mayLackWrites());
    driver.recover(loss.missing());
    awaitRecovery(loss.epoch());
    return told;
  }

  private void awaitRecovery(int inEpoch) {
    long waited = 0;
    String refusal = driver.recoveryRefusal();
    while (refusal == null && waited < AGREEMENT_MILLIS) {
      if (topologies.await(() -> hasGoneOn(inEpoch), LOOK_MILLIS)) {
        return;
      }
      waited += LOOK_MILLIS;
      refusal = driver.recoveryRefusal();
    }
    driver.forgetRecovery();
    if (!hasGoneOn(inEpoch)) {
      throw new RetryableGridException(
          "majority not recovered: node=%s, %s; try again"
              .formatted(nodeName, refusal == null ? "waited=" + waited + " ms" : refusal));
    }
  }

  private boolean hasGoneOn(int inEpoch) {
    Topology known = driver.topology();
    return known != null && Recovery.isBetween(inEpoch, known.epoch());
  }
}
