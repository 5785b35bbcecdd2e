package dev.isogrid.engine;

import dev.isogrid.api.CacheChange;
import dev.isogrid.api.ChangesGoneException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.ChangeCalls.FindAnswer;
import dev.isogrid.engine.ChangeCalls.FindQuestion;
import dev.isogrid.engine.ChangeCalls.Found;
import dev.isogrid.engine.ChangeCalls.From;
import dev.isogrid.engine.ChangeCalls.Group;
import dev.isogrid.engine.ChangeCalls.Mode;
import dev.isogrid.engine.ChangeCalls.ReadAnswer;
import dev.isogrid.engine.ChangeCalls.ReadQuestion;
import dev.isogrid.engine.ChangeCalls.Status;
import dev.isogrid.engine.ChangeCalls.Stored;
import dev.isogrid.engine.ChangeCalls.Wanted;
import dev.isogrid.journal.EntryAttributes;
import dev.isogrid.journal.Journal;
import dev.isogrid.journal.JournalPlace;
import dev.isogrid.journal.JournalRecord;
import dev.isogrid.journal.JournalTail;
import dev.isogrid.store.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers what the store of a clustered cache on this node knows of its changes. Thread-safe;
 * methods block.
 */
final class StoredChanges {
  /*
   * The records of a segment are in the order of the cluster's writes, and each names its place,
   * from one that says that the segment has all up to a place, up to one that says that it lacks
   * something: then a copy follows, whose entries come in any order. So a store has runs of
   * changes, and only the last run of a segment goes on. What is in it at a place is the same in
   * all stores that have the place in a run:
   *
   *   - A write or removal has the version of the place. Several of one write are parts, which
   *     count when their end comes.
   *   - A removal of all entries is a CLEAR by a write, followed by the place.
   *   - Removals without a version are not counted: a node that overwrites an entry, and finds its
   *     time to be over by its own clock, appends one. Others may not.
   *   - Entries that were appended again, and touches, say nothing new.
   *
   * Where a run has a place is looked for from the newest file on, back to the first one that says
   * a place which is not behind it: all that is behind is in that file and later ones. Only a
   * record that says a place begins a run, since the version of another one may be that of a copy.
   */
  /** Bytes of changes after which an answer ends; the last group may go beyond. */
  static final long ANSWER_BYTES = 512 << 10;

  /** What an answer may have beside its last group. */
  private static final long GROUP_BYTES_MAX = NodeCalls.BODY_MAX - (1 << 20);

  /** Work for one answer that finds nothing; then the caller asks again. */
  private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String cache;
  private final ReplicatedEngine engine;
  private final Journal journal;
  private final NanoClock clock;

  /**
   * Of an open store.
   *
   * @param journal the cache's
   */
  StoredChanges(ReplicatedEngine engine, Journal journal, NanoClock clock) {
    this.cache = engine.name();
    this.engine = engine;
    this.journal = journal;
    this.clock = clock;
  }

  static long identity(Journal journal) {
    return journal.identity().getMostSignificantBits();
  }

  private static long seq(JournalRecord record) {
    return record.version() & Segment.SEQUENCE_MAX;
  }

  private static JournalPlace placeOf(JournalRecord record) {
    return new JournalPlace(record.file(), record.offset());
  }

  /** Returns whether a segment lacks something behind a record. */
  private static boolean isLack(JournalRecord record) {
    return record.isPlace()
        ? record.version() == 0 && !record.isPart()
        : record.isClear() && !record.isClearByWrite();
  }

  // ---- where to begin

  /** A segment whose begin is looked for. */
  private static final class Search {
    private final Wanted wanted;

    /** Whether the wanted place was seen in the last run, as far as it was looked through. */
    private boolean isSeen;

    /** The begin that was found in later files, negative if none was. */
    private long start = -1;

    private JournalPlace startAt = JournalPlace.NONE;

    /** The begin in the file that is looked through, negative if there is none. */
    private long fileStart;

    private JournalPlace fileStartAt = JournalPlace.NONE;
    private boolean isLacking;

    Search(Wanted wanted) {
      this.wanted = wanted;
    }

    void beginFile() {
      fileStart = -1;
      isLacking = false;
    }

    void look(JournalRecord record) {
      if (isLack(record)) {
        isLacking = true;
        fileStart = -1;
        isSeen = false;
      } else if (record.isPlace()) {
        if (record.version() != 0) {
          isSeen |= seq(record) == wanted.place();
          if (fileStart < 0) {
            fileStart = seq(record);
            fileStartAt = placeOf(record);
          }
        }
      } else if (!record.isClear() && !record.isAgain()) {
        isSeen |= record.version() != 0 && seq(record) == wanted.place();
      }
    }

    /** Returns the result if older files need not be looked through. */
    @Nullable Found endFile(Mode mode) {
      if (fileStart >= 0) {
        start = fileStart;
        startAt = fileStartAt;
      }
      if (mode == Mode.AFTER && start >= 0 && start <= wanted.place()) {
        boolean isKnown = isSeen || !wanted.isExact();
        return found(isKnown ? Status.FOUND : Status.UNKNOWN);
      }
      return isLacking ? end(mode) : null;
    }

    /** Returns the result if there are no older files. */
    Found end(Mode mode) {
      if (start < 0) {
        return found(Status.NOT_HERE);
      }
      return found(mode == Mode.OLDEST ? Status.FOUND : Status.GONE);
    }

    private Found found(Status status) {
      return new Found(wanted.index(), status, Math.max(0, start), startAt);
    }
  }

  /** Finds where to begin. */
  FindAnswer find(FindQuestion question) {
    JournalPlace end = journal.forcedPlace();
    List<Found> found = new ArrayList<>();
    @Nullable Search[] open = new Search[engine.segmentCount()];
    int openCount = 0;
    for (Wanted wanted : question.wanted()) {
      if (wanted.index() < 0 || wanted.index() >= open.length) {
        throw new InvalidRequestException(
            "no such segment: cache=%s, segment=%d".formatted(cache, wanted.index()));
      }
      Found now = findNow(question.mode(), wanted, end);
      if (now != null) {
        found.add(now);
      } else {
        open[wanted.index()] = new Search(wanted);
        openCount++;
      }
    }
    if (openCount > 0) {
      search(question.mode(), open, openCount, end, found);
    }
    return new FindAnswer(identity(journal), found);
  }

  /** Where to begin if no file has to be read for that. */
  private @Nullable Found findNow(Mode mode, Wanted wanted, JournalPlace end) {
    int index = wanted.index();
    long since = mode == Mode.NOW ? engine.serving(index) : 0;
    long reached = engine.store().keptPlace(index);
    if (reached < 0 || since < 0 || (mode == Mode.NOW && !engine.hasServed(index, since))) {
      return new Found(index, Status.NOT_HERE, 0, end);
    }
    if (mode == Mode.NOW) {
      return new Found(index, Status.FOUND, reached, end);
    }
    if (mode == Mode.AFTER && wanted.isExact() && reached < wanted.place()) {
      return new Found(index, Status.BEHIND, reached, end);
    }
    boolean isAll = mode == Mode.AFTER && reached <= wanted.place();
    return isAll ? new Found(index, Status.FOUND, wanted.place(), end) : null;
  }

  private void search(
      Mode mode, @Nullable Search[] open, int count, JournalPlace end, List<Found> found) {
    int left = count;
    long oldest = journal.oldestFile();
    for (long file = end.file(); left > 0 && file >= oldest; file--) {
      left -= searchFile(mode, open, file, found);
    }
    for (Search rest : open) {
      if (rest != null) {
        found.add(rest.end(mode));
      }
    }
  }

  /** Looks through a file; returns for how many segments older ones need not be. */
  private int searchFile(Mode mode, @Nullable Search[] open, long file, List<Found> found) {
    for (Search each : open) {
      if (each != null) {
        each.beginFile();
      }
    }
    try (JournalTail tail = journal.wholeTail(new JournalPlace(file, 0))) {
      for (JournalRecord record = tail.next(0);
          record != null && record.file() == file;
          record = tail.next(0)) {
        Search search = open[record.segment()];
        if (search != null) {
          search.look(record);
        }
      }
    } catch (ChangesGoneException _) {
      return 0; // deleted meanwhile, as those before it
    }
    int done = 0;
    for (int index = 0; index < open.length; index++) {
      Search search = open[index];
      Found result = search == null ? null : search.endFile(mode);
      if (result != null) {
        found.add(result);
        open[index] = null;
        done++;
      }
    }
    return done;
  }

  // ---- what is behind

  /** A segment that is read. */
  private static final class Reading {
    private final int index;
    private final JournalPlace from;
    private long place;

    /** Where the changes begin whose place did not come yet, or null. */
    private @Nullable JournalPlace openAt;

    private long openPlace;
    private final List<Stored> open = new ArrayList<>();

    Reading(From from) {
      this.index = from.index();
      this.from = from.at();
      this.place = from.place();
    }

    private void close() {
      open.clear();
      openAt = null;
      openPlace = 0;
    }

    private void open(Stored change, long atPlace, JournalRecord record) {
      if (openAt == null || openPlace != atPlace) {
        close();
        openAt = placeOf(record);
        openPlace = atPlace;
      }
      open.add(change);
    }

    /** Takes a record that does not end the run; returns the changes that it completes. */
    @Nullable Group take(JournalRecord record) {
      if (record.isClear()) {
        close();
        open(new Stored(CacheChange.Kind.CLEARED, null, null, 0, -1, -1, -1), -1, record);
        return null;
      }
      if (record.isPlace()) {
        return takePlace(seq(record), record.isPart());
      }
      if (record.isAgain() || record.version() == 0 || seq(record) <= place) {
        return null;
      }
      if (record.isPart()) {
        open(stored(record), seq(record), record);
        return null;
      }
      close();
      place = seq(record);
      return new Group(index, place, List.of(stored(record)));
    }

    private @Nullable Group takePlace(long seq, boolean isEndOfParts) {
      boolean isClear = openAt != null && openPlace < 0;
      boolean completes = isEndOfParts ? openAt != null && openPlace == seq : isClear;
      Group group = completes && seq > place ? new Group(index, seq, List.copyOf(open)) : null;
      place = Math.max(place, seq);
      close();
      return group;
    }
  }

  private static Stored stored(JournalRecord record) {
    ByteString key = ByteString.of(record.key());
    if (!record.isPut()) {
      boolean isExpiry = record.isExpiry();
      return new Stored(
          isExpiry ? CacheChange.Kind.EXPIRED : CacheChange.Kind.REMOVED,
          key,
          null,
          isExpiry ? 0 : record.version(),
          -1,
          -1,
          -1);
    }
    EntryAttributes attributes = record.attributes();
    return new Stored(
        CacheChange.Kind.WRITTEN,
        key,
        ByteString.of(record.value()),
        record.version(),
        attributes.createdMillis(),
        attributes.lifespanMillis(),
        attributes.maxIdleMillis());
  }

  /**
   * Reads changes; waits for some, if there are none.
   *
   * @param waitMillis at most so long
   */
  ReadAnswer read(ReadQuestion question, int waitMillis) throws InterruptedException {
    if (question.identity() != identity(journal)) {
      return allAbsent(question);
    }
    long deadline = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
    ReadQuestion now = question;
    while (true) {
      Read read = readNow(now);
      ReadAnswer answer = read.answer();
      long left = deadline - clock.nanoTime();
      if (!answer.groups().isEmpty() || !answer.absent().isEmpty() || left <= 0) {
        return answer;
      }
      if (journal.awaitBeyond(read.to(), left) <= 0) {
        return answer;
      }
      now = onward(now, answer.end());
    }
  }

  /**
   * What was read.
   *
   * @param to up to where the journal was read
   */
  private record Read(ReadAnswer answer, JournalPlace to) {}

  private static ReadAnswer allAbsent(ReadQuestion question) {
    List<Integer> all = question.from().stream().map(From::index).toList();
    return new ReadAnswer(JournalPlace.NONE, all, List.of());
  }

  /** The question for what is behind an answer without changes. */
  private static ReadQuestion onward(ReadQuestion asked, JournalPlace end) {
    List<From> from = new ArrayList<>(asked.from().size());
    for (From each : asked.from()) {
      JournalPlace at = each.at().isBeyond(end) ? each.at() : end;
      from.add(new From(each.index(), each.place(), at));
    }
    return new ReadQuestion(asked.cache(), asked.cacheId(), asked.identity(), 0, from);
  }

  private Read readNow(ReadQuestion question) {
    @Nullable Reading[] readings = new Reading[engine.segmentCount()];
    JournalPlace begin = null;
    for (From from : question.from()) {
      if (from.index() < 0 || from.index() >= readings.length) {
        throw new InvalidRequestException(
            "no such segment: cache=%s, segment=%d".formatted(cache, from.index()));
      }
      readings[from.index()] = new Reading(from);
      begin = begin == null || begin.isBeyond(from.at()) ? from.at() : begin;
    }
    if (begin == null) {
      JournalPlace end = journal.forcedPlace();
      return new Read(new ReadAnswer(end, List.of(), List.of()), end);
    }
    try (JournalTail tail = journal.wholeTail(begin)) {
      return readFrom(tail, readings);
    } catch (ChangesGoneException _) {
      return new Read(
          allAbsent(question), JournalPlace.NONE); // looked for again, elsewhere as well
    }
  }

  private Read readFrom(JournalTail tail, @Nullable Reading[] readings) {
    long begun = clock.nanoTime();
    List<Integer> absent = new ArrayList<>();
    List<Group> groups = new ArrayList<>();
    long bytes = 0;
    JournalRecord record = null;
    while (bytes < ANSWER_BYTES && clock.nanoTime() - begun < READ_NANOS) {
      record = tail.next(0);
      if (record == null) {
        break;
      }
      Reading reading = readings[record.segment()];
      if (reading == null || reading.from.isBeyond(placeOf(record))) {
        continue;
      }
      if (isLack(record)) {
        readings[reading.index] = null;
        absent.add(reading.index);
        continue;
      }
      Group group = reading.take(record);
      if (group != null) {
        bytes += checkedBytes(group);
        groups.add(group);
      }
    }
    JournalPlace to = tail.place();
    return new Read(new ReadAnswer(end(to, readings), absent, groups), to);
  }

  private long checkedBytes(Group group) {
    long bytes = group.changes().stream().mapToLong(Stored::sizeBytes).sum();
    if (bytes > GROUP_BYTES_MAX) {
      throw new InvalidRequestException(
          ("change too large to be sent to another node: cache=%s, segment=%d, bytes=%d, limit=%d;"
                  + " read all entries and follow the changes from now on")
              .formatted(cache, group.index(), bytes, GROUP_BYTES_MAX));
    }
    return bytes;
  }

  /**
   * Where to go on: before changes whose place did not come yet. If an earlier process wrote them,
   * it will never come.
   */
  private JournalPlace end(JournalPlace read, @Nullable Reading[] readings) {
    JournalPlace end = read;
    for (Reading reading : readings) {
      JournalPlace openAt = reading == null ? null : reading.openAt;
      if (openAt != null && end.isBeyond(openAt) && mayComplete(openAt, read)) {
        end = openAt;
      }
    }
    return end;
  }

  private boolean mayComplete(JournalPlace openAt, JournalPlace read) {
    return openAt.file() >= journal.begunFile() || read.file() < journal.begunFile();
  }
}
