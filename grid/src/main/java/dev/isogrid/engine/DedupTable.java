package dev.isogrid.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
   */

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
    private final TreeMap<Long, Done> done = new TreeMap<>();
  }

  private final Map<SessionId, Session> sessions = new HashMap<>();

  /** A table with this content. */
  static DedupTable of(List<Records> records) {
    DedupTable table = new DedupTable();
    for (Records each : records) {
      Session session = new Session();
      session.doneUpTo = each.doneUpTo();
      session.done.putAll(each.done());
      table.sessions.put(each.session(), session);
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
      session.done.forEach((number, done) -> {
        if (done.seq() <= upToSeq) {
          copied.done.put(number, done);
        }
      });
      copy.sessions.put(id, copied);
    });
    return copy;
  }

  /** Forgets everything and takes over another table's content. */
  void replaceBy(DedupTable other) {
    sessions.clear();
    sessions.putAll(other.copy(Long.MAX_VALUE).sessions);
  }

  void clear() {
    sessions.clear();
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

  /** Remembers that an entry was appended. */
  void add(LogEntry entry) {
    OperationId id = entry.id();
    Session session = sessions.computeIfAbsent(id.session(), _ -> new Session());
    session.done.put(id.number(), new Done(entry.seq(), entry.result()));
    doneUpTo(session, entry.ackedUpTo());
  }

  /** A session is done with its operations up to a number. */
  void doneUpTo(SessionId id, long number) {
    if (number > 0) {
      doneUpTo(sessions.computeIfAbsent(id, _ -> new Session()), number);
    }
  }

  private static void doneUpTo(Session session, long number) {
    if (number > session.doneUpTo) {
      session.doneUpTo = number;
      session.done.headMap(number, true).clear();
    }
  }

  /** Forgets an entry that was taken back. */
  void remove(LogEntry entry) {
    Session session = sessions.get(entry.id().session());
    Done done = session == null ? null : session.done.get(entry.id().number());
    if (session != null && done != null && done.seq() == entry.seq()) {
      session.done.remove(entry.id().number());
    }
  }

  /** Forgets the sessions that ended. */
  void retainSessions(Predicate<SessionId> isAlive) {
    sessions.keySet().removeIf(isAlive.negate());
  }

  /** The number of operations that are remembered. */
  int size() {
    return sessions.values().stream().mapToInt(session -> session.done.size()).sum();
  }
}
