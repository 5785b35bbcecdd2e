package dev.isogrid.engine;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.Outbox;
import dev.isogrid.cluster.Rule;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.engine.SegmentMessage.Reply;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The operations that a node wants done and has no answer for yet. Sends each one to the primary of
 * its segment, again with a newer topology if need be, until there is an answer or its time is
 * over. Not thread-safe.
 */
final class Calls {
  /*
   * A node may not reach a primary that the voters hear, so that nobody else becomes primary. A
   * call to a primary that left others unanswered for longer than a silent member is waited for is
   * sent to another member besides, which passes it on (ClusterNode), as it passes on the answer.
   * It is the same operation, of which each sending is an attempt, so it is carried out once. The
   * primary itself is still asked, so that it is known when it can be reached again.
   *
   * A primary is sent no more than it can take at once (SendWindow); further calls wait here, in
   * their order, until others have answers, or are late. A late one leaves the window: its segment
   * may wait for another replica, and others of the same primary must not wait for that. If there
   * are many, it is repeated later each time: an answer that takes long is then rather one of a
   * busy primary than a lost one, and what is sent again to all of them keeps it from answering.
   *
   * Replicas remember what they did for this node's session, and pass it on with copies. If none of
   * those that had a segment has it any more, it went on from disks, which have the entries only.
   * What was sent before may be done, and is not sent again. A node that missed some topologies
   * can't tell that from copies to other nodes, and takes it for that.
   */

  /** After a refusal it is tried again after this part of the time for an unanswered attempt. */
  private static final int REFUSED_FRACTION = 8;

  /** That doubles as well, up to 2 to this power: callers wait no longer for a new primary. */
  private static final int REFUSED_DOUBLINGS_MAX = 2;

  /** Each time for an unanswered attempt is twice the one before, up to 2 to this power. */
  private static final int DOUBLINGS_MAX = 3;

  /** Times for an unanswered attempt after which the members are told what is done with. */
  private static final int TELL_TIMES = 10;

  /** How often they are told the same: a message may be lost, or come before what it is about. */
  private static final int TELLS_MAX = 3;

  private static final String FORGOTTEN =
      "it was sent before, and the record of that may be lost or not yet certain";

  private static final String UNSENT =
      "since the segment's primary has not answered earlier operations yet";

  private static final String REPLACED =
      "the segment went on from a disk, without the nodes that knew of it";

  private static final String SESSION_OVER = "this node was out of the cluster meanwhile";

  private static final class Call {
    private final long number;

    /** The operation of a client that this is, or null. */
    private final @Nullable ClientOperation client;

    private final Command command;

    /** Its place in a trace, or null. */
    private final @Nullable CallTrace trace;

    private final int segment;
    private final long deadlineNanos;
    private final long begunNanos;
    private final Consumer<Outcome> whenDone;
    private int attempts;
    private long sentNanos;
    private long nextNanos;

    /** The attempts since the primary changed that had no answer, or only refusals. */
    private int silences;

    private int refusals;

    /** That of the primary that it was sent to, or waits for; null if it does neither. */
    private @Nullable SendWindow<Call> window;

    private boolean isQueued;

    /** Whether the last attempt was answered by a refusal. */
    private boolean isRefused;

    /** The open calls of the same segment before and behind this one, by their numbers. */
    private @Nullable Call before;

    private @Nullable Call behind;

    // tidy: the parts of an operation
    Call(
        long number,
        @Nullable ClientOperation client,
        Command command,
        @Nullable CallTrace trace,
        int segment,
        long deadline,
        Consumer<Outcome> whenDone,
        long nowNanos) {
      this.begunNanos = nowNanos;
      this.sentNanos = nowNanos;
      this.number = number;
      this.client = client;
      this.attempts = client != null && client.isRepeated() ? ClientOperation.REPEATED_ATTEMPTS : 0;
      this.command = command;
      this.trace = trace;
      this.segment = segment;
      this.deadlineNanos = deadline;
      this.whenDone = whenDone;
    }

    long dueNanos() {
      return isQueued ? deadlineNanos : Math.min(nextNanos, deadlineNanos);
    }

    private int windowBytes() {
      return command.sizeBytes();
    }
  }

  private final NodeId self;
  private final ClusterTimes times;
  private final Outbox outbox;
  private final int callsMax;
  private final CopyPace pace;

  /** By their numbers, in order. */
  private final LinkedHashMap<Long, Call> calls = new LinkedHashMap<>();

  /** Those of clients. */
  private final Map<OperationId, Call> ofClients = new HashMap<>();

  /** By primary, what was sent to it and has no answer yet. */
  private final Map<NodeId, SendWindow<Call>> windows = new HashMap<>();

  /** The primaries that did not answer a call in time, and since when; mostly none. */
  private final Map<NodeId, Long> silentSince = new HashMap<>();

  /** By segment, the first and the last one of its open calls. */
  private @Nullable Call[] firstOf = new Call[0];

  private @Nullable Call[] lastOf = new Call[0];

  private @Nullable Topology topology;
  private @Nullable SessionId session;
  private long lastNumber;

  /** The number of the last write. */
  private long lastWrite;

  /** The members know that this session is done with its operations up to this number. */
  private long toldUpTo;

  private int tellsLeft;
  private long nextTellNanos;

  /** No call has anything due before this. */
  private long nextDueNanos;

  /**
   * None yet.
   *
   * @param pace learns how long operations take
   */
  Calls(NodeId self, ClusterTimes times, Outbox outbox, int callsMax, CopyPace pace) {
    this.self = self;
    this.times = times;
    this.outbox = outbox;
    this.callsMax = callsMax;
    this.pace = pace;
  }

  int count() {
    return calls.size();
  }

  /**
   * Begins an operation.
   *
   * @param client that of a client, or null if it is this node's own
   * @param trace its place in a trace, or null
   * @return false if there are too many of them already
   */
  // tidy: the parts of an operation
  boolean tryBegin(
      Command command,
      @Nullable ClientOperation client,
      @Nullable CallTrace trace,
      int segment,
      long deadline,
      Consumer<Outcome> whenDone,
      long nowNanos) {
    if (calls.size() >= callsMax) {
      return false;
    }
    Call call =
        new Call(++lastNumber, client, command, trace, segment, deadline, whenDone, nowNanos);
    boolean isOnly = calls.isEmpty();
    calls.put(call.number, call);
    if (client != null) {
      ofClients.put(client.id(), call);
    }
    lastWrite = command.isRead() || client != null ? lastWrite : call.number;
    addToSegment(call);
    trySend(call, nowNanos);
    long due = call.dueNanos();
    nextDueNanos = isOnly || due - nextDueNanos < 0 ? due : nextDueNanos;
    return true;
  }

  /** The owners of a segment, or null if it does not exist yet. */
  private static @Nullable SegmentOwners owners(@Nullable Topology known, int segment) {
    return known == null || segment >= known.segments().size()
        ? null
        : known.segments().get(segment);
  }

  private void trySend(Call call, long nowNanos) {
    Topology known = topology;
    SegmentOwners owners = owners(known, call.segment);
    NodeId primary = owners == null ? null : owners.primary();
    long pause = times.resend(call.command.sizeBytes());
    call.nextNanos = nowNanos + (pause << doublings(call.silences, DOUBLINGS_MAX));
    if (known == null || session == null || owners == null || primary == null) {
      leaveWindow(call);
      return;
    }
    if (!tryEnter(call, primary)) {
      return;
    }
    call.sentNanos = nowNanos;
    send(call, primary, known, owners, nowNanos);
    NodeId relay = isSilent(primary, nowNanos) ? relay(known, primary, call.attempts) : null;
    if (relay != null) {
      send(call, relay, known, owners, nowNanos);
    }
  }

  /** A few calls burden nobody, and are to find out soon when they can be done. */
  private int doublings(int failures, int max) {
    return calls.size() <= SendWindow.FIRST_MAX ? 0 : Math.min(failures, max);
  }

  /** Whether a call may be sent to a primary; if not, it waits for its turn. */
  private boolean tryEnter(Call call, NodeId primary) {
    if (call.silences > 0) {
      return true; // it has left the window
    }
    SendWindow<Call> window = windows.computeIfAbsent(primary, _ -> new SendWindow<>());
    if (!window.equals(call.window)) {
      leaveWindow(call);
      call.window = window;
      call.isQueued = !call.command.waitsForUsers() && !window.tryEnter(call, call.windowBytes());
    }
    return !call.isQueued;
  }

  private void leaveWindow(Call call) {
    SendWindow<Call> window = call.window;
    if (window != null) {
      call.window = null;
      if (call.isQueued) {
        window.dequeue(call);
      } else if (!call.command.waitsForUsers()) {
        window.leave(call.windowBytes());
      }
      call.isQueued = false;
    }
  }

  /** Sends calls that waited, where others have answers now. */
  private void sendQueued(long nowNanos) {
    new ArrayList<>(windows.values()).forEach(window -> sendQueued(window, nowNanos));
  }

  private void sendQueued(SendWindow<Call> window, long nowNanos) {
    // One whose time is over is ended by the tick, without having been sent.
    for (Call next = window.firstQueued();
        next != null && nowNanos - next.deadlineNanos < 0 && window.pollQueued() != null;
        next = window.firstQueued()) {
      next.isQueued = false;
      trySend(next, nowNanos);
      nextDueNanos = Math.min(nextDueNanos, next.dueNanos());
    }
  }

  private boolean isSilent(NodeId primary, long nowNanos) {
    Long since = silentSince.isEmpty() ? null : silentSince.get(primary);
    return since != null && nowNanos - since >= times.suspect();
  }

  /** A member that may reach a primary, another one at each attempt, or null if there is none. */
  private @Nullable NodeId relay(Topology known, NodeId primary, int attempt) {
    List<NodeId> others =
        known.members().stream()
            .map(Member::id)
            .filter(node -> !node.equals(self) && !node.equals(primary))
            .toList();
    return others.isEmpty() ? null : others.get(attempt % others.size());
  }

  private void send(Call call, NodeId to, Topology known, SegmentOwners owners, long nowNanos) {
    call.attempts++;
    ClientOperation client = call.client;
    SessionId numbering = Objects.requireNonNull(session);
    Operation operation =
        new Operation(
            known.epoch(),
            call.segment,
            owners.segEpoch(),
            client == null ? new OperationId(numbering, call.number) : client.id(),
            client == null ? doneUpTo(call) : client.ackedUpTo(),
            call.attempts,
            client == null ? ClientOperation.FIRST : age(call, client, nowNanos),
            call.command);
    CallTrace trace = call.trace;
    outbox.send(
        to, trace == null || to.equals(self) ? operation : new TracedOperation(trace, operation));
  }

  /** For how long a client has wanted an operation that was sent before. */
  private static long age(Call call, ClientOperation client, long nowNanos) {
    return call.attempts == 1
        ? ClientOperation.FIRST
        : Math.max(0, client.ageMillis())
            + TimeUnit.NANOSECONDS.toMillis(nowNanos - call.begunNanos);
  }

  /**
   * Returns up to where the session is done with its operations on the segment of an open call. A
   * call that waits elsewhere does not count, so what it holds back is remembered there only.
   */
  private long doneUpTo(Call call) {
    Call first = firstOf[call.segment];
    return (first == null ? call : first).number - 1;
  }

  private void addToSegment(Call call) {
    if (call.segment >= firstOf.length) {
      int length = Math.max(call.segment + 1, 2 * firstOf.length);
      firstOf = Arrays.copyOf(firstOf, length);
      lastOf = Arrays.copyOf(lastOf, length);
    }
    Call last = lastOf[call.segment];
    if (last == null) {
      firstOf[call.segment] = call;
    } else {
      last.behind = call;
      call.before = last;
    }
    lastOf[call.segment] = call;
  }

  private void removeFromSegment(Call call) {
    Call before = call.before;
    Call behind = call.behind;
    if (before == null) {
      firstOf[call.segment] = behind;
    } else {
      before.behind = behind;
    }
    if (behind == null) {
      lastOf[call.segment] = before;
    } else {
      behind.before = before;
    }
  }

  /** An answer came from a primary, or from a member that passed it on. */
  void onReply(NodeId from, Reply reply, long nowNanos) {
    if (!silentSince.isEmpty()) {
      silentSince.remove(from);
    }
    Call call = find(reply.id());
    if (call == null) {
      return;
    }
    switch (reply.status()) {
      case DONE -> {
        boolean isFinal = reply.isRecorded() || call.attempts == 1;
        if (isFinal || !times.holds(Rule.RECORD_RETRIED)) {
          if (call.silences == 0 && call.window != null) {
            call.window.grow();
          }
          pace.operationTook(nowNanos - call.begunNanos);
          end(call, new Outcome(Outcome.Kind.DONE, reply.result()), nowNanos);
        }
      }
      case STALE, NOT_READY -> {
        if (reply.attempt() == call.attempts) {
          onRefusal(call, nowNanos);
        }
      }
      case STALE_OPERATION -> end(call, unknown(call, FORGOTTEN), nowNanos);
      case SESSION_EXPIRED -> {
        if (!call.command.isRead()) {
          end(call, unknown(call, SESSION_OVER), nowNanos);
        } // else it is asked anew when this node knows its next session
      }
    }
  }

  /** A primary does not take a call yet. Those of its other segments don't wait for that. */
  private void onRefusal(Call call, long nowNanos) {
    call.isRefused = true;
    call.silences = 0;
    long first = times.resend() / REFUSED_FRACTION;
    long pause = first << doublings(call.refusals, REFUSED_DOUBLINGS_MAX);
    call.refusals++;
    call.nextNanos = Math.min(call.nextNanos, nowNanos + pause);
    nextDueNanos = Math.min(nextDueNanos, call.nextNanos);
    SendWindow<Call> window = call.window;
    leaveWindow(call);
    if (window != null && window.hasQueued()) {
      sendQueued(window, nowNanos);
    }
  }

  private @Nullable Call find(OperationId id) {
    if (id.session().isOfClient()) {
      return ofClients.get(id);
    }
    return id.session().equals(session) ? calls.get(id.number()) : null;
  }

  /** The outcome of an operation whose time is over. */
  private static Outcome late(Call call) {
    boolean isUnsent = call.isQueued && call.attempts == 0;
    return isUnsent ? new Outcome(Outcome.Kind.FAILED, UNSENT) : unknown(call, null);
  }

  /**
   * The outcome of an operation that has no answer.
   *
   * @param reason null if there was none in time
   */
  private static Outcome unknown(Call call, @Nullable String reason) {
    boolean isHarmless = call.command.isRead() || call.attempts == 0;
    return isHarmless
        ? new Outcome(Outcome.Kind.FAILED, null)
        : new Outcome(Outcome.Kind.INDETERMINATE, reason);
  }

  private void end(Call call, Outcome outcome, long nowNanos) {
    SendWindow<Call> window = call.window;
    leaveWindow(call);
    calls.remove(call.number);
    if (call.client != null) {
      ofClients.remove(call.client.id(), call);
    }
    removeFromSegment(call);
    if (window != null && window.hasQueued()) {
      sendQueued(window, nowNanos);
    }
    call.whenDone.accept(outcome);
  }

  /** Sends again what has no answer, and gives up what has no time left. */
  void tick(long nowNanos) {
    tellDone(nowNanos);
    if (calls.isEmpty() || nowNanos - nextDueNanos < 0) {
      return;
    }
    nextDueNanos = nowNanos + times.resend();
    for (Call call : new ArrayList<>(calls.values())) {
      if (nowNanos - call.deadlineNanos >= 0) {
        end(call, late(call), nowNanos);
        continue;
      }
      if (nowNanos - call.dueNanos() >= 0) {
        noteSilence(call, nowNanos);
        trySend(call, nowNanos);
      }
      nextDueNanos = Math.min(nextDueNanos, call.dueNanos());
    }
    sendQueued(nowNanos);
  }

  /** An attempt of a call has no answer. */
  private void noteSilence(Call call, long nowNanos) {
    SegmentOwners owners = owners(topology, call.segment);
    NodeId primary = owners == null ? null : owners.primary();
    if (primary != null && call.attempts > 0 && !call.isRefused) {
      silentSince.putIfAbsent(primary, call.sentNanos);
      call.silences++;
      SendWindow<Call> window = call.window;
      if (window != null) {
        window.shrink(nowNanos, times.resend());
        leaveWindow(call);
      }
    }
    call.isRefused = false;
  }

  /** Tells the members, now and then, which operations nobody will ask for again. */
  private void tellDone(long nowNanos) {
    Topology known = topology;
    SessionId numbering = session;
    if (known == null || numbering == null || nowNanos - nextTellNanos < 0) {
      return;
    }
    nextTellNanos = nowNanos + TELL_TIMES * times.resend();
    long upTo = calls.isEmpty() ? lastNumber : calls.firstEntry().getKey() - 1;
    if (upTo > toldUpTo && lastWrite > toldUpTo) {
      toldUpTo = upTo;
      tellsLeft = TELLS_MAX;
    }
    if (tellsLeft > 0) {
      tellsLeft--;
      OperationId last = new OperationId(numbering, toldUpTo);
      for (Member member : known.members()) {
        outbox.send(member.id(), new SessionDone(known.epoch(), last));
      }
    }
  }

  private static boolean isMoved(@Nullable SegmentOwners was, @Nullable SegmentOwners is) {
    return is != null && (was == null || was.segEpoch() != is.segEpoch());
  }

  /** Whether nobody who had a segment has it. */
  private static boolean isReplaced(@Nullable SegmentOwners was, @Nullable SegmentOwners is) {
    return was != null
        && is != null
        && !is.isOffline()
        && is.isr().stream().noneMatch(was.isr()::contains);
  }

  /** There is a new topology: what its primaries are to do is sent to them. */
  void install(Topology next, long nowNanos) {
    Topology before = topology;
    topology = next;
    silentSince.keySet().removeIf(node -> next.member(node) == null);
    windows.keySet().removeIf(node -> next.member(node) == null);
    Member member = next.member(self);
    SessionId now = member == null ? null : new SessionId(self, member.joinedEpoch());
    boolean isOther = now == null || !now.equals(session);
    nextTellNanos = isOther ? nowNanos : nextTellNanos;
    session = now;
    for (Call call : new ArrayList<>(calls.values())) {
      boolean isNumberedHere = call.client == null && call.attempts > 0;
      SegmentOwners was = owners(before, call.segment);
      SegmentOwners is = owners(next, call.segment);
      if (isOther && isNumberedHere && !call.command.isRead()) {
        end(call, unknown(call, SESSION_OVER), nowNanos);
      } else if (isOther && isNumberedHere) {
        // Nobody remembers a read, so it is asked anew, by the session that comes.
        call.attempts = 0;
        trySend(call, nowNanos);
      } else if (isNumberedHere && !call.command.isRead() && isReplaced(was, is)) {
        end(call, unknown(call, REPLACED), nowNanos);
      } else if (isMoved(was, is)) {
        call.silences = 0;
        call.refusals = 0;
        trySend(call, nowNanos);
      }
    }
    sendQueued(nowNanos);
  }
}
