package dev.isogrid.cluster;

import dev.isogrid.base.NanoClock;
import dev.isogrid.topology.NodeId;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.UpHandler;
import org.jgroups.View;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;

/** Puts what JGroups delivers where others find it, and never blocks its threads. Thread-safe. */
final class JGroupsReceiver implements UpHandler {
  /** Nodes that are gone are told of with each view; after a while nobody needs that. */
  private static final int GONE_MAX = 64;

  private final Inbox inbox = new Inbox();
  private final AtomicReference<@Nullable ViewHint> view = new AtomicReference<>();
  private final AtomicReference<ViewHint> latest =
      new AtomicReference<>(new ViewHint(List.of(), Set.of(), Map.of()));

  // written by: JGroups, one view after the other; the nodes of the view
  private volatile List<NodeId> inView = List.of();

  private final NanoClock clock;
  private final Map<NodeId, Arrival> arrivals = new ConcurrentHashMap<>();
  private final LossLog malformed;
  private final LossLog inboxOverflows;

  /** Gets messages that come past JGroups, on the event loop of the connections. */
  interface Reader {
    /** As {@link LinkFrames.Handler#onMessage}. */
    void take(NodeId from, byte[] array, int length, boolean isOwn);

    /** That is all that was read for now. */
    void received();
  }

  // written by: whenRead, once; null until then
  private volatile @Nullable Reader reader;

  // written by: whenReceived, once
  private volatile Runnable receiver = () -> {};

  // written by: whenSuspected, once
  private volatile Consumer<NodeId> suspicions = _ -> {};

  // written by: whenFailed, once
  private volatile @Nullable Consumer<Error> failures;

  /** Why this node can't be reached any more, if it is so. */
  private final AtomicReference<@Nullable Error> failure = new AtomicReference<>();

  /** When something of a node came last. */
  private static final class Arrival {
    // written by: JGroups' threads; any of the newest will do
    private volatile long nanos;
  }

  JGroupsReceiver(System.Logger log, NanoClock clock) {
    this.clock = clock;
    this.malformed = new LossLog(log, clock);
    this.inboxOverflows = new LossLog(log, clock);
  }

  /** The node of an address. */
  static NodeId node(Address address) {
    UUID uuid = (UUID) address;
    return new NodeId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /** Called after something was put down. */
  void whenReceived(Runnable called) {
    receiver = called;
  }

  /**
   * Sets the reader of messages that come past JGroups. Those that came before stay in the inbox.
   */
  void whenRead(Reader called) {
    reader = called;
  }

  /** Called for each node that is suspected; must not block. */
  void whenSuspected(Consumer<NodeId> called) {
    suspicions = called;
  }

  /** Called once this node fails in a way that the others must not see before. */
  void whenFailed(Consumer<Error> called) {
    failures = called;
    tellFailure();
  }

  /** Others can't reach this node any more, and will take it for dead. */
  void failed(Error unexpected) {
    failure.set(unexpected);
    tellFailure();
  }

  private void tellFailure() {
    Consumer<Error> called = failures;
    Error unexpected = called == null ? null : failure.getAndSet(null);
    if (called != null && unexpected != null) {
      called.accept(unexpected);
    }
  }

  /** Some nodes are suspected, verified or not. */
  void suspect(Collection<Address> suspects) {
    suspects.stream().filter(UUID.class::isInstance).map(JGroupsReceiver::node).forEach(suspicions);
  }

  /** A node is suspected: its connections ended. */
  void suspect(NodeId node) {
    suspicions.accept(node);
  }

  /** A node's process is dead: a connection to it was refused at a time. */
  void gone(NodeId node, long refusedNanos) {
    publish(latest.updateAndGet(before -> without(before, node, refusedNanos)));
  }

  private ViewHint without(ViewHint before, NodeId node, long refusedNanos) {
    Map<NodeId, Long> gone = stillGone(before);
    gone.putIfAbsent(node, refusedNanos);
    while (gone.size() > GONE_MAX) {
      gone.remove(gone.keySet().iterator().next());
    }
    return new ViewHint(before.present(), before.suspected(), gone);
  }

  /**
   * Nodes answered to a question who is there. They count as present until the next answers or the
   * next view, which may take seconds to have them.
   */
  void found(Collection<NodeId> others) {
    Set<NodeId> present = new LinkedHashSet<>(inView);
    present.addAll(others);
    ViewHint before = latest.get();
    ViewHint seen =
        latest.updateAndGet(
            last -> new ViewHint(List.copyOf(present), last.suspected(), stillGone(last)));
    if (!seen.present().equals(before.present())) {
      publish(seen);
    }
  }

  /** The nodes that are gone but for those that were heard since. */
  private Map<NodeId, Long> stillGone(ViewHint before) {
    Map<NodeId, Long> gone = new LinkedHashMap<>(before.gone());
    gone.entrySet().removeIf(each -> isHeardSince(each.getKey(), each.getValue()));
    return gone;
  }

  /** Whether something of a node came at a time or later. */
  boolean isHeardSince(NodeId node, long nanos) {
    Arrival arrival = arrivals.get(node);
    return arrival != null && arrival.nanos - nanos >= 0;
  }

  Inbox inbox() {
    return inbox;
  }

  /** As {@link Transport#lastArrivalNanos}. */
  @Nullable Long lastArrivalNanos(NodeId node) {
    Arrival arrival = arrivals.get(node);
    return arrival == null ? null : arrival.nanos;
  }

  private void arrived(NodeId node) {
    Arrival arrival = arrivals.get(node);
    if (arrival == null) {
      arrival = arrivals.computeIfAbsent(node, _ -> new Arrival());
    }
    arrival.nanos = clock.nanoTime();
  }

  /** The newest view that was not taken from here yet, or null. */
  AtomicReference<@Nullable ViewHint> view() {
    return view;
  }

  LossLog malformed() {
    return malformed;
  }

  LossLog inboxOverflows() {
    return inboxOverflows;
  }

  @Override
  public UpHandler setLocalAddress(Address address) {
    return this;
  }

  @Override
  public @Nullable Object up(Event event) {
    switch (event.getType()) {
      case Event.VIEW_CHANGE -> {
        View now = event.getArg();
        List<NodeId> present =
            now.getMembers().stream()
                .filter(UUID.class::isInstance)
                .map(JGroupsReceiver::node)
                .toList();
        inView = present;
        arrivals.keySet().retainAll(present);
        publish(latest.updateAndGet(before -> new ViewHint(present, Set.of(), stillGone(before))));
      }
      case Event.SUSPECT -> {
        Collection<Address> suspects = event.getArg();
        suspect(suspects);
        publish(latest.updateAndGet(before -> suspecting(before, suspects)));
      }
      default -> {
        // Nothing that we need.
      }
    }
    return null;
  }

  private ViewHint suspecting(ViewHint before, Collection<Address> suspects) {
    Set<NodeId> suspected = new HashSet<>(before.suspected());
    suspects.stream()
        .filter(UUID.class::isInstance)
        .map(JGroupsReceiver::node)
        .filter(before.present()::contains)
        .forEach(suspected::add);
    return new ViewHint(before.present(), suspected, stillGone(before));
  }

  private void publish(ViewHint seen) {
    view.set(seen);
    receiver.run();
  }

  @Override
  public @Nullable Object up(org.jgroups.Message message) {
    add(message);
    receiver.run();
    return null;
  }

  @Override
  public void up(MessageBatch batch) {
    for (org.jgroups.Message message : batch) {
      add(message);
    }
    receiver.run();
  }

  private void add(org.jgroups.Message message) {
    Address from = message.getSrc();
    if (!(from instanceof UUID) || !message.hasArray()) {
      malformed.add(() -> "malformed message: from=" + from + ", type=" + message.getType());
      return;
    }
    add(new Inbox.Packet(node(from), message.getArray(), message.getOffset(), message.getLength()));
  }

  private void add(Inbox.Packet packet) {
    arrived(packet.from);
    putDown(packet);
  }

  /** Leaves a packet to whoever hands over next. */
  void putDown(Inbox.Packet packet) {
    if (!inbox.tryAdd(packet)) {
      inboxOverflows.add(() -> "message dropped, too many wait: from=" + packet.from);
    }
  }

  /**
   * A message came past JGroups, on the event loop of the connections. To be followed by {@link
   * #received}. The parameters are those of {@link LinkFrames.Handler#onMessage}.
   */
  void take(NodeId from, byte[] array, int length, boolean isOwn) {
    Reader to = reader;
    if (to == null) {
      add(new Inbox.Packet(from, isOwn ? array : Arrays.copyOf(array, length), 0, length));
    } else {
      to.take(from, array, length, isOwn);
    }
  }

  /** That is all that came of a node for now. */
  void received(NodeId from) {
    arrived(from);
    Reader to = reader;
    if (to == null) {
      receiver.run();
    } else {
      to.received();
    }
  }
}
