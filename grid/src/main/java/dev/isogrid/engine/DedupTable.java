package dev.isogrid.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A replica's records of the operations that its segment carried out, so that an operation that is
 * sent again is not carried out again. Not thread-safe.
 */
public final class DedupTable {
  /*
   * After C. Lee et al., Implementing Linearizability at Large Scale and Low Latency (RIFL), SOSP
   * 2015, https://doi.org/10.1145/2815400.2815416: the record of an operation is made with its
   * effect and kept by all who keep the effect, until the client says that it has the answer. What
   * a session is done with is a number, since it numbers its operations in order.
   *
   * A session that asks and asks without being done with an early operation would have all the
   * later ones remembered. So the records of a segment, and of a node, have a bound, and beyond it
   * the oldest are forgotten. Their operations count as done with from then on, with all earlier
   * ones of the session: one that is sent again is refused, and its outcome is unknown to its
   * caller, but it is not carried out again. Each replica may do so by itself, since it only
   * refuses more.
   *
   * Clients of servers have sessions as well. Nobody hears of their end, so the session of a client
   * is forgotten when nothing came from it for KEPT_NANOS, or as the one unused for longest where
   * room is short. The node remembers by one number for all segments up to where the client is done
   * or its records are forgotten, so what comes late is refused. A client says of each operation
   * whether it was sent before, and how long ago first. One that was sent before and has no record
   * is new only if no record can have been lost since it was sent first: the table knows when the
   * replicas of the segment last lost any, and a copy of the table knows it too. While the node
   * alone had the segment, its callers wrote without coming here. If clients were among them,
   * another node's repetition of such a write is refused, too; this node's own callers know what
   * they wrote.
   */

  /** The size that is counted for the parts of each record, with its place in maps. */
  static final int FIXED_BYTES = 128;

  /** The size that is counted for a client's session, with its places in maps. */
  static final int CLIENT_BYTES = 192;

  /** Clients give an operation up within a minute or so; most of them within seconds. */
  static final long KEPT_NANOS = 600_000_000_000L;

  /** How long a repetition may have been on its way without anybody counting it as its age. */
  static final long ON_WAY_NANOS = 10_000_000_000L;

  private static final long MILLI = 1_000_000;

  /**
   * That an operation was carried out.
   *
   * @param seq its place in the order
   * @param result its answer
   */
  record Done(long seq, @Nullable Object result) {}

  /**
   * The records of one session.
   *
   * @param doneUpTo the session is done with its operations up to this number
   * @param done the others that were carried out, by their numbers
   */
  record Records(SessionId session, long doneUpTo, Map<Long, Done> done) {}

  private static final class Session {
    private long doneUpTo;
    private long bytes;

    /** Of a client's session, when something last came from it. */
    private long usedNanos;

    /** The name of a client's session; null for a member's. */
    private @Nullable SessionId client;

    private final TreeMap<Long, Done> done = new TreeMap<>();
  }

  private final Map<SessionId, Session> sessions = new HashMap<>();

  /** Those of clients, the one unused for longest first. */
  private final Map<SessionId, Session> clients =
      new LinkedHashMap<>(16, 0.75f, true); // 16 and 0.75 as by default

  private final RecordRoom room;
  private long bytes;
  private long clientBytes;

  /** When records of clients were last lost that could be asked for; null if none ever were. */
  private @Nullable Long lostNanos;

  /** When a node last had the segment alone and clients had written there; null if never. */
  private @Nullable Long ownNanos;

  /** A table without records, and without bounds. */
  DedupTable() {
    this(RecordRoom.unbounded());
  }

  /** A table without records that shares the room of a node. */
  DedupTable(RecordRoom room) {
    this.room = room;
  }

  /**
   * A table with this content.
   *
   * @param uncertainMillisAgo how long ago the sender was last uncertain
   */
  static DedupTable of(List<Records> records, long uncertainMillisAgo) {
    DedupTable table = new DedupTable();
    table.wasUncertain(uncertainMillisAgo);
    for (Records each : records) {
      Session session = table.made(each.session());
      session.doneUpTo = each.doneUpTo();
      each.done().forEach((number, done) -> table.put(session, number, done));
    }
    return table;
  }

  /** The content, in the same order on all nodes; valid until the next change. */
  List<Records> records() {
    List<Records> records = new ArrayList<>();
    sessions.forEach((id, session) -> records.add(new Records(id, session.doneUpTo, session.done)));
    clients.forEach((id, session) -> records.add(new Records(id, session.doneUpTo, session.done)));
    records.sort(
        Comparator.comparing((Records each) -> each.session().node())
            .thenComparingInt(each -> each.session().joinedEpoch()));
    return records;
  }

  /** A copy that changes to this one don't reach. */
  DedupTable copy(long upToSeq) {
    DedupTable copy = new DedupTable();
    copy.wasUncertain(uncertainMillisAgo());
    sessions.forEach((id, session) -> copy.take(id, session, upToSeq));
    clients.forEach((id, session) -> copy.take(id, session, upToSeq));
    return copy;
  }

  private void take(SessionId id, Session other, long upToSeq) {
    Session taken = made(id);
    doneUpTo(taken, other.doneUpTo);
    other.done.forEach((number, done) -> {
      if (done.seq() <= upToSeq) {
        put(taken, number, done);
      }
    });
  }

  /** Forgets everything and takes over another table's content. */
  void replaceBy(DedupTable other) {
    clear();
    other.sessions.forEach((id, session) -> take(id, session, Long.MAX_VALUE));
    other.clients.forEach((id, session) -> take(id, session, Long.MAX_VALUE));
    wasUncertain(other.uncertainMillisAgo());
  }

  private void wasUncertain(long millisAgo) {
    boolean isOld = millisAgo >= KEPT_NANOS / MILLI;
    lostNanos = isOld ? null : Long.valueOf(room.nowNanos() - millisAgo * MILLI);
    ownNanos = null;
  }

  void clear() {
    sessions.clear();
    clients.clear();
    clientBytes = 0;
    count(-bytes);
    lostNanos = null;
    ownNanos = null;
  }

  private @Nullable Session sessionOf(SessionId id) {
    return id.isOfClient() ? clients.get(id) : sessions.get(id);
  }

  /** The session of an id, which is used now. */
  private Session made(SessionId id) {
    if (!id.isOfClient()) {
      return sessions.computeIfAbsent(id, _ -> new Session());
    }
    Session session = clients.get(id);
    if (session == null) {
      session = new Session();
      session.client = id;
      clients.put(id, session);
      count(session, CLIENT_BYTES);
    }
    session.usedNanos = room.nowNanos();
    return session;
  }

  /** Returns how long ago records were last missing here; at most the time that all are kept. */
  long uncertainMillisAgo() {
    return Math.min(millisSince(lostNanos), millisSince(ownNanos));
  }

  private long millisSince(@Nullable Long nanos) {
    long keptMillis = KEPT_NANOS / MILLI;
    return nanos == null
        ? keptMillis
        : Math.clamp((room.nowNanos() - nanos) / MILLI, 0, keptMillis);
  }

  /** Records were lost that somebody could ask for. */
  void noteLost() {
    lostNanos = room.nowNanos();
  }

  /** This node alone had the segment, and clients wrote there without leaving records. */
  void noteOwn() {
    ownNanos = room.nowNanos();
  }

  /**
   * Whether an operation of a client that was sent before and has no record was not carried out.
   *
   * @param wasOwnKnown whether its caller knows that it was not carried out without a record, while
   *     this node had the segment alone
   */
  boolean isSurelyNew(long ageMillis, boolean wasOwnKnown) {
    long ageNanos = Math.min(ageMillis, KEPT_NANOS / MILLI) * MILLI + ON_WAY_NANOS;
    long sentNanos = room.nowNanos() - ageNanos;
    return ageNanos < KEPT_NANOS
        && isBefore(lostNanos, sentNanos)
        && room.knowsClientsSince(sentNanos)
        && (wasOwnKnown || isBefore(ownNanos, sentNanos));
  }

  private static boolean isBefore(@Nullable Long nanos, long otherNanos) {
    return nanos == null || nanos - otherNanos < 0;
  }

  private void count(long more) {
    bytes += more;
    room.add(more);
  }

  private void count(Session session, long more) {
    session.bytes += more;
    clientBytes += session.client == null ? 0 : more;
    count(more);
  }

  private static long sizeOf(@Nullable Done done) {
    return done == null ? 0 : (long) FIXED_BYTES + Sized.of(done.result());
  }

  private void put(Session session, long number, Done done) {
    Done before = session.done.put(number, done);
    count(session, sizeOf(done) - sizeOf(before));
  }

  /** The record of an operation, or null. */
  @Nullable Done find(OperationId id) {
    Session session = sessionOf(id.session());
    return session == null ? null : session.done.get(id.number());
  }

  /** Whether the session said that it is done with an operation. */
  boolean isDoneWith(OperationId id) {
    Session session = sessionOf(id.session());
    return (session != null && id.number() <= session.doneUpTo)
        || (id.session().isOfClient() && id.number() <= room.doneUpTo(id.session()));
  }

  /**
   * Remembers that an entry was appended, unless its session is done with it already.
   *
   * @param appliedSeq no record of an entry behind this place is forgotten for it
   */
  void add(LogEntry entry, long appliedSeq) {
    OperationId id = entry.id();
    Session session = made(id.session());
    if (id.number() > session.doneUpTo) {
      put(session, id.number(), new Done(entry.seq(), entry.result()));
    }
    doneUpTo(session, entry.ackedUpTo());
    forgetUnused(appliedSeq);
    shrink(appliedSeq);
  }

  /** Forgets records up to a place as long as there are more than there is room for. */
  void shrink(long upToSeq) {
    while (room.isExceeded(bytes) && tryForget(upToSeq)) {
      // One at a time.
    }
  }

  /** Forgets the first record of the session that has most. */
  private boolean tryForget(long upToSeq) {
    if (clientBytes > bytes / 2 && tryForgetClient(upToSeq)) {
      noteLost(); // this node knows the client's number, but no copy does
      return true;
    }
    Session most = null;
    for (Session each : sessions.values()) {
      boolean isMore = each.bytes > (most == null ? 0 : most.bytes);
      if (isMore && each.done.firstEntry().getValue().seq() <= upToSeq) {
        most = each;
      }
    }
    if (most == null) {
      return false;
    }
    long number = most.done.firstKey();
    if (room.refusesForgotten()) {
      doneUpTo(most, number);
    } else {
      count(most, -sizeOf(most.done.remove(number)));
    }
    return true;
  }

  /** Forgets the client's session that was not used for longest. */
  private boolean tryForgetClient(long upToSeq) {
    Iterator<Session> each = clients.values().iterator();
    if (!each.hasNext()) {
      return false;
    }
    Session eldest = each.next();
    if (!eldest.done.isEmpty() && eldest.done.lastEntry().getValue().seq() > upToSeq) {
      return false;
    }
    SessionId id = eldest.client;
    if (id != null && room.refusesForgotten()) {
      room.noteDone(id, eldest.done.isEmpty() ? eldest.doneUpTo : eldest.done.lastKey());
    }
    each.remove();
    count(eldest, -eldest.bytes);
    return true;
  }

  /** Forgets the sessions of clients from which nothing came for so long that nothing will. */
  void forgetUnused(long upToSeq) {
    while (!clients.isEmpty()) {
      Session eldest = clients.values().iterator().next();
      if (room.nowNanos() - eldest.usedNanos < KEPT_NANOS || !tryForgetClient(upToSeq)) {
        return;
      }
    }
  }

  /** A session is done with its operations up to a number. */
  void doneUpTo(SessionId id, long number) {
    Session known = sessionOf(id);
    if (known == null && id.isOfClient()) {
      room.noteDone(id, number); // it has no records here
    } else if (number > 0) {
      doneUpTo(made(id), number);
    }
  }

  /** Forgets what sessions are done with; those that have no record here need none. */
  void doneUpTo(Map<SessionId, Long> numbers) {
    sessions.forEach((id, session) -> doneUpTo(session, numbers.getOrDefault(id, 0L)));
  }

  private void doneUpTo(Session session, long number) {
    if (number <= session.doneUpTo) {
      return;
    }
    session.doneUpTo = number;
    if (session.client != null) {
      room.noteDone(session.client, number);
    }
    long less = 0;
    while (!session.done.isEmpty() && session.done.firstKey() <= number) {
      less += sizeOf(session.done.pollFirstEntry().getValue());
    }
    if (less > 0) {
      count(session, -less);
    }
  }

  /** Forgets an entry that was taken back. */
  void remove(LogEntry entry) {
    Session session = sessionOf(entry.id().session());
    Done done = session == null ? null : session.done.get(entry.id().number());
    if (session != null && done != null && done.seq() == entry.seq()) {
      session.done.remove(entry.id().number());
      count(session, -sizeOf(done));
    }
  }

  /** Forgets the sessions that ended. */
  void retainSessions(Predicate<SessionId> isAlive) {
    for (Iterator<Map.Entry<SessionId, Session>> each = sessions.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<SessionId, Session> session = each.next();
      if (!isAlive.test(session.getKey())) {
        each.remove();
        count(-session.getValue().bytes);
      }
    }
  }

  /** Returns about the bytes of the records. */
  long bytes() {
    return bytes;
  }

  /** The number of operations that are remembered. */
  int size() {
    return Stream.of(sessions, clients)
        .flatMap(all -> all.values().stream())
        .mapToInt(session -> session.done.size())
        .sum();
  }
}
