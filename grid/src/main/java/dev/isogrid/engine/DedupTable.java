package dev.isogrid.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a replica remembers of the operations that its segment carried out, so that an operation
 * that is sent again is not carried out again. Not thread-safe.
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
   */

  /** What is counted for the parts that each record has, with its place in maps. */
  static final int FIXED_BYTES = 128;

  /**
   * That an operation was carried out.
   *
   * @param seq its place in the order
   * @param result its answer
   */
  record Done(long seq, @Nullable Object result) {}

  /**
   * What is remembered of one session.
   *
   * @param doneUpTo the session is done with its operations up to this number
   * @param done the others that were carried out, by their numbers
   */
  record Records(SessionId session, long doneUpTo, Map<Long, Done> done) {}

  private static final class Session {
    private long doneUpTo;
    private long bytes;
    private final TreeMap<Long, Done> done = new TreeMap<>();
  }

  private final Map<SessionId, Session> sessions = new HashMap<>();
  private final RecordRoom room;
  private long bytes;

  /** A table without records, and without bounds. */
  DedupTable() {
    this(RecordRoom.unbounded());
  }

  /** A table without records that shares the room of a node. */
  DedupTable(RecordRoom room) {
    this.room = room;
  }

  /** A table with this content. */
  static DedupTable of(List<Records> records) {
    DedupTable table = new DedupTable();
    for (Records each : records) {
      Session session = new Session();
      session.doneUpTo = each.doneUpTo();
      table.sessions.put(each.session(), session);
      each.done().forEach((number, done) -> table.put(session, number, done));
    }
    return table;
  }

  /** The content, in the same order on all nodes; valid until the next change. */
  List<Records> records() {
    List<Records> records = new ArrayList<>();
    sessions.forEach((id, session) -> records.add(new Records(id, session.doneUpTo, session.done)));
    records.sort(
        Comparator.comparing((Records each) -> each.session().node())
            .thenComparingInt(each -> each.session().joinedEpoch()));
    return records;
  }

  /** A copy that changes to this one don't reach. */
  DedupTable copy(long upToSeq) {
    DedupTable copy = new DedupTable();
    sessions.forEach((id, session) -> {
      Session copied = new Session();
      copied.doneUpTo = session.doneUpTo;
      copy.sessions.put(id, copied);
      session.done.forEach((number, done) -> {
        if (done.seq() <= upToSeq) {
          copy.put(copied, number, done);
        }
      });
    });
    return copy;
  }

  /** Forgets everything and takes over another table's content. */
  void replaceBy(DedupTable other) {
    clear();
    sessions.putAll(other.copy(Long.MAX_VALUE).sessions);
    count(other.bytes);
  }

  void clear() {
    sessions.clear();
    count(-bytes);
  }

  private void count(long more) {
    bytes += more;
    room.add(more);
  }

  private void count(Session session, long more) {
    session.bytes += more;
    count(more);
  }

  private static long sizeOf(@Nullable Done done) {
    return done == null ? 0 : (long) FIXED_BYTES + Sized.of(done.result());
  }

  private void put(Session session, long number, Done done) {
    Done before = session.done.put(number, done);
    count(session, sizeOf(done) - sizeOf(before));
  }

  /** What was made of an operation, or null. */
  @Nullable Done find(OperationId id) {
    Session session = sessions.get(id.session());
    return session == null ? null : session.done.get(id.number());
  }

  /** Whether the session said that it is done with an operation. */
  boolean isDoneWith(OperationId id) {
    Session session = sessions.get(id.session());
    return session != null && id.number() <= session.doneUpTo;
  }

  /**
   * Remembers that an entry was appended, unless its session is done with it already.
   *
   * @param appliedSeq no record of an entry behind this place is forgotten for it
   */
  void add(LogEntry entry, long appliedSeq) {
    OperationId id = entry.id();
    Session session = sessions.computeIfAbsent(id.session(), _ -> new Session());
    if (id.number() > session.doneUpTo) {
      put(session, id.number(), new Done(entry.seq(), entry.result()));
    }
    doneUpTo(session, entry.ackedUpTo());
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

  /** A session is done with its operations up to a number. */
  void doneUpTo(SessionId id, long number) {
    if (number > 0) {
      doneUpTo(sessions.computeIfAbsent(id, _ -> new Session()), number);
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
    if (session.done.isEmpty() || session.done.firstKey() > number) {
      return;
    }
    Map<Long, Done> over = session.done.headMap(number, true);
    long less = 0;
    for (Done done : over.values()) {
      less += sizeOf(done);
    }
    over.clear();
    count(session, -less);
  }

  /** Forgets an entry that was taken back. */
  void remove(LogEntry entry) {
    Session session = sessions.get(entry.id().session());
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
    return sessions.values().stream().mapToInt(session -> session.done.size()).sum();
  }
}
