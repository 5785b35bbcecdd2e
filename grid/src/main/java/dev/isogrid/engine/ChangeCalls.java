package dev.isogrid.engine;

import dev.isogrid.api.CacheChange;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import dev.isogrid.codec.ByteString;
import dev.isogrid.journal.JournalPlace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What nodes ask each other about the changes that their stores have, and its bytes. */
final class ChangeCalls {
  /*
   * Where to begin: question  cache (text), id (4), mode (1), number (4) of
   *                           segment (4), place (8), exact (1)
   *                 answer    identity of the journal (8), number (4) of
   *                           segment (4), status (1), place (8), file (8), offset (8)
   * The changes:    question  cache (text), id (4), identity (8), milliseconds to wait (4),
   *                           number (4) of segment (4), place (8), file (8), offset (8)
   *                 answer    file (8), offset (8), number (4) of segments (4) that are not there,
   *                           number (4) of groups:
   *                           segment (4), place (8), number (4) of changes:
   *                           kind (1), key unless it is a clear, value if it is a write,
   *                           version (8), and if it is a write: created (8), lifespan (8),
   *                           max idle (8)
   * Numbers are big-endian; keys and values have their length (4) before.
   */
  private static final List<Mode> MODES = List.of(Mode.values());
  private static final List<Status> STATUSES = List.of(Status.values());
  private static final List<CacheChange.Kind> KINDS = List.of(CacheChange.Kind.values());

  private static final int WANTED_BYTES = 4 + 8 + 1;
  private static final int FOUND_BYTES = 4 + 1 + 8 + 8 + 8;
  private static final int FROM_BYTES = 4 + 8 + 8 + 8;
  private static final int GROUP_BYTES_MIN = 4 + 8 + 4;
  private static final int CHANGE_BYTES_MIN = 1 + 8;

  /** What a change takes beside key and value. */
  private static final long STORED_BYTES = 1 + 4 + 4 + 4 * 8;

  private ChangeCalls() {}

  /** Where a reader wants to begin. */
  enum Mode {
    /** Behind a place. */
    AFTER,
    /** With the oldest change that the store has. */
    OLDEST,
    /** Behind all that was answered. */
    NOW
  }

  /** Whether a reader can begin at a store. */
  enum Status {
    /** It can. */
    FOUND,
    /** The node lacks something of the segment, or does not answer for it. */
    NOT_HERE,
    /** The node has not yet heard of the place. */
    BEHIND,
    /** The store does not go back so far. */
    GONE,
    /** The store goes back so far, but never had the change at the place. */
    UNKNOWN
  }

  /** A segment that a reader wants to begin with. */
  record Wanted(int index, long place, boolean isExact) {}

  /** Where to begin, by segment. */
  record FindQuestion(String cache, int cacheId, Mode mode, List<Wanted> wanted) {}

  /**
   * The begin of a segment.
   *
   * @param place that of the begin; with GONE the one that the store goes back to
   * @param at where the journal has what is behind it
   */
  record Found(int index, Status status, long place, JournalPlace at) {}

  /**
   * The begins.
   *
   * @param identity of the journal
   */
  record FindAnswer(long identity, List<Found> found) {}

  /** The place that a reader has reached in a segment, and where the journal goes on. */
  record From(int index, long place, JournalPlace at) {}

  /** What is behind some places. */
  record ReadQuestion(String cache, int cacheId, long identity, int waitMillis, List<From> from) {}

  /**
   * What is behind them.
   *
   * @param end where the journal goes on for all segments but those that are not there
   * @param absent segments that the journal does not go on with
   */
  record ReadAnswer(JournalPlace end, List<Integer> absent, List<Group> groups) {}

  /** The changes at a place of a segment. */
  record Group(int index, long place, List<Stored> changes) {}

  /** A change as a store has it. */
  record Stored(
      CacheChange.Kind kind,
      @Nullable ByteString key,
      @Nullable ByteString value,
      long version,
      long createdMillis,
      long lifespanMillis,
      long maxIdleMillis) {
    /** About the bytes that it takes. */
    long sizeBytes() {
      return STORED_BYTES
          + (key == null ? 0L : key.length())
          + (value == null ? 0L : value.length());
    }
  }

  // ---- bytes

  static ByteString encode(FindQuestion question) {
    MessageWriter out = new MessageWriter();
    out.putText(question.cache());
    out.putInt(question.cacheId());
    out.putByte(MODES.indexOf(question.mode()));
    out.putInt(question.wanted().size());
    for (Wanted each : question.wanted()) {
      out.putInt(each.index());
      out.putLong(each.place());
      out.putBoolean(each.isExact());
    }
    return ByteString.of(out.toByteArray());
  }

  static FindQuestion findQuestion(ByteString bytes) throws MalformedMessageException {
    MessageReader in = reader(bytes);
    String cache = in.text("cache");
    int id = in.int32("id");
    Mode mode = MODES.get(number(in, "mode", MODES.size()));
    int count = in.countOf("segments", WANTED_BYTES);
    List<Wanted> wanted = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      wanted.add(new Wanted(in.int32("segment"), in.count64("place"), in.bool("exact")));
    }
    in.end();
    return new FindQuestion(cache, id, mode, wanted);
  }

  static ByteString encode(FindAnswer answer) {
    MessageWriter out = new MessageWriter();
    out.putLong(answer.identity());
    out.putInt(answer.found().size());
    for (Found each : answer.found()) {
      out.putInt(each.index());
      out.putByte(STATUSES.indexOf(each.status()));
      out.putLong(each.place());
      write(each.at(), out);
    }
    return ByteString.of(out.toByteArray());
  }

  static FindAnswer findAnswer(ByteString bytes) throws MalformedMessageException {
    MessageReader in = reader(bytes);
    long identity = in.int64("identity");
    int count = in.countOf("segments", FOUND_BYTES);
    List<Found> found = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int index = in.int32("segment");
      Status status = STATUSES.get(number(in, "status", STATUSES.size()));
      found.add(new Found(index, status, in.count64("place"), place(in)));
    }
    in.end();
    return new FindAnswer(identity, found);
  }

  static ByteString encode(ReadQuestion question) {
    MessageWriter out = new MessageWriter();
    out.putText(question.cache());
    out.putInt(question.cacheId());
    out.putLong(question.identity());
    out.putInt(question.waitMillis());
    out.putInt(question.from().size());
    for (From each : question.from()) {
      out.putInt(each.index());
      out.putLong(each.place());
      write(each.at(), out);
    }
    return ByteString.of(out.toByteArray());
  }

  static ReadQuestion readQuestion(ByteString bytes) throws MalformedMessageException {
    MessageReader in = reader(bytes);
    String cache = in.text("cache");
    int id = in.int32("id");
    long identity = in.int64("identity");
    int waitMillis = in.int32("wait");
    int count = in.countOf("segments", FROM_BYTES);
    List<From> from = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      from.add(new From(in.int32("segment"), in.count64("place"), place(in)));
    }
    in.end();
    return new ReadQuestion(cache, id, identity, waitMillis, from);
  }

  static ByteString encode(ReadAnswer answer) {
    MessageWriter out = new MessageWriter();
    write(answer.end(), out);
    out.putInt(answer.absent().size());
    answer.absent().forEach(out::putInt);
    out.putInt(answer.groups().size());
    for (Group group : answer.groups()) {
      out.putInt(group.index());
      out.putLong(group.place());
      out.putInt(group.changes().size());
      group.changes().forEach(change -> write(change, out));
    }
    return ByteString.of(out.toByteArray());
  }

  static ReadAnswer readAnswer(ByteString bytes) throws MalformedMessageException {
    MessageReader in = reader(bytes);
    JournalPlace end = place(in);
    int absentCount = in.countOf("absent", Integer.BYTES);
    List<Integer> absent = new ArrayList<>(absentCount);
    for (int i = 0; i < absentCount; i++) {
      absent.add(in.int32("segment"));
    }
    int count = in.countOf("groups", GROUP_BYTES_MIN);
    List<Group> groups = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int index = in.int32("segment");
      long place = in.count64("place");
      int changeCount = in.countOf("changes", CHANGE_BYTES_MIN);
      List<Stored> changes = new ArrayList<>(changeCount);
      for (int j = 0; j < changeCount; j++) {
        changes.add(change(in));
      }
      groups.add(new Group(index, place, changes));
    }
    in.end();
    return new ReadAnswer(end, absent, groups);
  }

  private static void write(Stored change, MessageWriter out) {
    out.putByte(KINDS.indexOf(change.kind()));
    ByteString key = change.key();
    if (key != null) {
      out.putBytes(key);
    }
    ByteString value = change.value();
    if (value != null) {
      out.putBytes(value);
    }
    out.putLong(change.version());
    if (value != null) {
      out.putLong(change.createdMillis());
      out.putLong(change.lifespanMillis());
      out.putLong(change.maxIdleMillis());
    }
  }

  private static Stored change(MessageReader in) throws MalformedMessageException {
    CacheChange.Kind kind = KINDS.get(number(in, "kind", KINDS.size()));
    ByteString key = kind == CacheChange.Kind.CLEARED ? null : in.bytes("key");
    ByteString value = kind == CacheChange.Kind.WRITTEN ? in.bytes("value") : null;
    long version = in.int64("version");
    return value == null
        ? new Stored(kind, key, null, version, -1, -1, -1)
        : new Stored(
            kind,
            key,
            value,
            version,
            in.int64("created"),
            in.int64("lifespan"),
            in.int64("max idle"));
  }

  private static void write(JournalPlace place, MessageWriter out) {
    out.putLong(place.file());
    out.putLong(place.offset());
  }

  private static JournalPlace place(MessageReader in) throws MalformedMessageException {
    return new JournalPlace(in.count64("file"), in.count64("offset"));
  }

  private static int number(MessageReader in, String field, int count)
      throws MalformedMessageException {
    int number = in.unsignedByte(field);
    if (number >= count) {
      throw in.malformed(field, number, "max=" + (count - 1));
    }
    return number;
  }

  private static MessageReader reader(ByteString bytes) throws MalformedMessageException {
    return new MessageReader(bytes.sharedArray(), bytes.sharedFrom(), bytes.length());
  }
}
