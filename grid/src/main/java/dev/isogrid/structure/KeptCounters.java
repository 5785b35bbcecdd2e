package dev.isogrid.structure;

import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import dev.isogrid.base.FileAccess;
import dev.isogrid.base.Scheduler;
import dev.isogrid.base.Turns;
import dev.isogrid.engine.Change;
import dev.isogrid.engine.ChangeListener;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.structure.CounterTable.Answer;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Stores the persistent counters of a grid in a file of this node, and restores them. Thread-safe.
 *
 * <p>A change through this node is in the file before its answer, so it survives the process in any
 * case. The file is forced to the disk every second and at the end, so a power failure costs at
 * most the last second. Changes through other nodes follow as soon as this node receives them.
 */
public final class KeptCounters implements AutoCloseable {
  /*
   * Changes of an entry arrive in order, under its segment's lock, where only the latest content of
   * the entry is noted. The thread that has the turn compares the noted contents with the stored
   * ones, and appends the difference. So one write to the file serves all threads that wait for
   * their turn.
   *
   * In a cluster a change may be answered before this node has committed it. So the answer's state
   * is written as well, ahead of the changes that this node follows: older ones that come later
   * must not replace it. If a state is ahead for longer than a second or two, all counters are
   * compared, since others may have changed or removed the counter meanwhile.
   *
   * Nodes that come back restore their stored counters. The greatest revision of a counter counts,
   * whichever node comes first. A counter that was undefined while a node was down comes back with
   * it.
   */

  /**
   * The most persistent counters: all are read at the start, and written at once from time to time.
   */
  private static final int COUNTERS_MAX = 100_000;

  private static final long FORCE_MILLIS = 1000;

  /**
   * The bits of revisions per millisecond. The first revision of a counter is the time, so a
   * definition is later than former ones.
   */
  private static final int REVISIONS_PER_MILLI_BITS = 20;

  private static final byte[] NOTHING = CounterBucket.EMPTY.toBytes();

  private static final System.Logger log = System.getLogger(KeptCounters.class.getName());

  private final CounterTable table;
  private final Env env;
  private final CounterLog file;
  private final Turns turns = new Turns("keeping counters");

  /** The noted contents of entries by the hash of the names, which may have to be written. */
  private final ConcurrentHashMap<Integer, byte[]> noted = new ConcurrentHashMap<>();

  /** The latest answers by the names of their counters, which may have to be written. */
  private final ConcurrentHashMap<String, Answer> answered = new ConcurrentHashMap<>();

  /**
   * The counters that were written by an answer, and not seen in a change since. Written by the
   * thread that has the turn.
   */
  private final ConcurrentHashMap<String, Ahead> ahead = new ConcurrentHashMap<>();

  /** How often the file was forced at a due time. Owned by the thread that has the turn. */
  private long ticks;

  /** The stored counters by the hash of their names. Written by the thread that has the turn. */
  private final ConcurrentHashMap<Integer, Map<String, CounterState>> kept =
      new ConcurrentHashMap<>();

  private final AtomicBoolean isCalled = new AtomicBoolean();
  private final AtomicBoolean mustForce = new AtomicBoolean();
  private final AtomicBoolean hasGap = new AtomicBoolean();

  /** Whether the last attempt to write failed and was logged. */
  private volatile boolean isFailing;

  /** The number of stored counters. Written by the thread that has the turn. */
  private volatile int count;

  /** Written once, at the start. */
  private volatile @Nullable Subscription changes;

  private volatile Scheduler.@Nullable Task forcing;
  private boolean isClosed;

  /**
   * A state that is in the file before this node has followed it.
   *
   * @param revision of the state
   * @param tick when it was written
   */
  private record Ahead(long revision, long tick) {}

  private KeptCounters(CounterTable table, CounterLog file, Env env) {
    this.table = table;
    this.file = file;
    this.env = env;
  }

  /**
   * Restores the counters of a file, and stores persistent counters in it from now on. May take
   * seconds.
   *
   * @throws InvalidRequestException if the file can't be read; the message names it
   */
  public static KeptCounters begin(CounterTable table, Path path, Env env) {
    CounterLog file = CounterLog.open(path, FileAccess.SYSTEM);
    KeptCounters keeper = new KeptCounters(table, file, env);
    try {
      keeper.begin();
    } catch (RuntimeException failure) {
      keeper.close();
      throw failure;
    }
    return keeper;
  }

  private void begin() {
    Map<String, CounterState> counters = Map.copyOf(file.counters());
    counters.forEach(this::remember);
    count = counters.size();
    changes = table.engine().addListener(new Follower());
    counters.forEach((name, state) -> {
      CounterState current = table.find(name);
      if (current == null || current.isBefore(state)) {
        table.restore(name, state);
      }
    });
    hasGap.set(true);
    turns.take(this::catchUp);
    table.keptBy(this);
    forcing = env.scheduler().every(FORCE_MILLIS, this::callToForce);
  }

  /** A revision above those of all earlier definitions. */
  long firstRevision() {
    return env.epochClock().millis() << REVISIONS_PER_MILLI_BITS;
  }

  /**
   * Refuses a definition at the limit.
   *
   * @throws InvalidRequestException if there are too many counters
   */
  void checkRoom(String name) {
    if (count >= COUNTERS_MAX) {
      throw new InvalidRequestException(
          "too many persistent counters: name=%s, limit=%d; remove some, or use VOLATILE"
              .formatted(name, COUNTERS_MAX));
    }
  }

  /**
   * Writes an answer, and all received changes that are not written yet. May block. The interrupt
   * of a thread, whose counter has changed already, is left for later.
   *
   * @param name of the counter, which is persistent
   * @param answer of the operation that changed it
   * @throws dev.isogrid.api.FatalGridException if the disk refuses it; it is retried with the next
   *     change, and every second
   * @throws IndeterminateGridException if it does not happen in time
   */
  void keep(String name, Answer answer) {
    if (isNews(answer, storedState(name))) {
      Answer _ = answered.merge(name, answer, KeptCounters::later);
    }
    if (noted.isEmpty() && answered.isEmpty()) {
      return;
    }
    boolean isInterrupted = Thread.interrupted();
    try {
      turns.take(this::write);
    } catch (RetryableGridException late) {
      throw new IndeterminateGridException(
          "counter changed, but is not in its file yet: reason=%s; read it, do not repeat this"
              .formatted(late.getMessage()));
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void write() {
    if (isClosed) {
      return;
    }
    Map<Integer, byte[]> taken = new HashMap<>(noted);
    Map<String, Answer> given = new HashMap<>(answered);
    Map<String, @Nullable CounterState> differences = new LinkedHashMap<>();
    taken.forEach((hash, bytes) -> compare(hash, CounterBucket.of(bytes), differences));
    Map<String, Ahead> nextAhead = new HashMap<>();
    given.forEach((name, answer) -> {
      CounterState known =
          differences.containsKey(name) ? differences.get(name) : storedState(name);
      if (isNews(answer, known)) {
        differences.put(name, answer.after());
        nextAhead.put(name, new Ahead(revision(answer), ticks));
      }
    });
    append(differences);
    ahead.putAll(nextAhead);
    taken.forEach(noted::remove);
    given.forEach(answered::remove);
  }

  private @Nullable CounterState storedState(String name) {
    return kept.getOrDefault(hashOf(CounterBucket.keyOf(name)), Map.of()).get(name);
  }

  /** Whether an answer is later than a stored state. */
  private static boolean isNews(Answer answer, @Nullable CounterState known) {
    return known == null ? answer.after() != null : known.revision() < revision(answer);
  }

  /** The revision of a counter after an operation; if it removed the counter, the next one. */
  private static long revision(Answer answer) {
    CounterState after = answer.after();
    return after == null
        ? Objects.requireNonNull(answer.before()).revision() + 1
        : after.revision();
  }

  private static Answer later(Answer one, Answer other) {
    return revision(one) > revision(other) ? one : other;
  }

  /** Compares with all counters if what was written by answers was not followed in time. */
  private void checkAhead() {
    ticks++;
    if (ahead.values().stream().anyMatch(each -> each.tick < ticks - 1)) {
      ahead.clear();
      hasGap.set(true);
    }
  }

  private void append(Map<String, @Nullable CounterState> differences) {
    file.append(differences);
    differences.forEach(this::remember);
    count = file.counters().size();
    isFailing = false;
  }

  /** Reads all counters if changes may have been missed. */
  private void catchUp() {
    if (isClosed || !hasGap.getAndSet(false)) {
      return;
    }
    try {
      readAll();
    } catch (RuntimeException failure) {
      hasGap.set(true);
      throw failure;
    }
  }

  /** Concurrent changes are noted, and written afterwards. */
  private void readAll() {
    Map<String, @Nullable CounterState> differences = new LinkedHashMap<>();
    EntryView<BinaryKey, Bytes> view = table.engine().newView();
    try (EntryWalk<BinaryKey, Bytes> walk = table.engine().walk()) {
      while (walk.next(view)) {
        CounterBucket.of(view.value().toByteArray())
            .counters()
            .forEach((name, state) -> {
              CounterState known = file.counters().get(name);
              if (state.isPersistent() && (known == null || known.revision() < state.revision())) {
                differences.put(name, state);
              }
            });
      }
    }
    for (String name : file.counters().keySet()) {
      CounterState current = table.find(name);
      if (current == null || !current.isPersistent()) {
        differences.put(name, null);
      }
    }
    append(differences);
  }

  private void compare(
      int hash, CounterBucket bucket, Map<String, @Nullable CounterState> differences) {
    Map<String, CounterState> before = kept.getOrDefault(hash, Map.of());
    for (String name : before.keySet()) {
      CounterState now = bucket.find(name);
      if ((now == null || !now.isPersistent()) && !ahead.containsKey(name)) {
        differences.put(name, null);
      }
    }
    bucket
        .counters()
        .forEach((name, now) -> {
          if (now.isPersistent() && !isBehind(name, now) && !now.equals(before.get(name))) {
            differences.put(name, now);
          }
        });
    if (!ahead.isEmpty()) {
      ahead.keySet().removeIf(name -> isFollowedRemoval(hash, name, before, bucket));
    }
  }

  /** Whether a counter that an answer removed from the file is not in its entry any more. */
  private static boolean isFollowedRemoval(
      int hash, String name, Map<String, CounterState> before, CounterBucket bucket) {
    return !before.containsKey(name)
        && bucket.find(name) == null
        && hashOf(CounterBucket.keyOf(name)) == hash;
  }

  /** Whether the file has a later state by an answer; forgets that if it has not. */
  private boolean isBehind(String name, CounterState now) {
    Ahead written = ahead.get(name);
    if (written != null && now.revision() >= written.revision) {
      ahead.remove(name);
      return false;
    }
    return written != null;
  }

  private void remember(String name, @Nullable CounterState state) {
    kept.compute(
        hashOf(CounterBucket.keyOf(name)),
        (_, before) -> {
          Map<String, CounterState> next = before == null ? new TreeMap<>() : new TreeMap<>(before);
          if (state == null) {
            next.remove(name);
          } else {
            next.put(name, state);
          }
          return next.isEmpty() ? null : next;
        });
  }

  private static int hashOf(BinaryKey key) {
    return ByteBuffer.wrap(key.toByteArray()).getInt();
  }

  /** Notes the new contents of entries. */
  private final class Follower implements ChangeListener<BinaryKey, Bytes> {
    @Override
    public void onChange(Change<BinaryKey, Bytes> change) {
      Bytes value = change.value();
      byte[] bytes = value == null ? NOTHING : value.toByteArray();
      int hash = hashOf(change.key());
      if (CounterBucket.hasPersistent(bytes) || kept.containsKey(hash) || noted.containsKey(hash)) {
        noted.put(hash, bytes);
      }
    }

    @Override
    public void onGap(int segment) {
      hasGap.set(true);
    }

    @Override
    public void afterChange(int segment) {
      if (hasGap.get() || !noted.isEmpty()) {
        call(false);
      }
    }
  }

  private void callToForce() {
    if (hasGap.get() || !noted.isEmpty() || !ahead.isEmpty() || !file.isForced()) {
      call(true);
    }
  }

  /** Writes everything soon on another thread, and optionally forces it to the disk. */
  private void call(boolean isForcing) {
    mustForce.compareAndSet(false, isForcing);
    if (isCalled.compareAndSet(false, true)) {
      try {
        env.scheduler().execute(this::answer);
      } catch (RejectedExecutionException _) { // the node ends, and has closed this or will
      }
    }
  }

  private void answer() {
    isCalled.set(false);
    try {
      turns.take(() -> {
        catchUp();
        write();
        if (!isClosed && mustForce.getAndSet(false)) {
          checkAhead();
          file.force();
        }
      });
    } catch (GridException failure) {
      if (!isFailing) {
        isFailing = true;
        log.log(Level.ERROR, "persistent counters are not kept", failure);
      }
    }
  }

  /** Writes everything, and ends the use of the file. Closing twice is harmless. */
  @Override
  public void close() {
    Scheduler.Task task = forcing;
    if (task != null) {
      task.close();
    }
    Subscription subscription = changes;
    if (subscription != null) {
      subscription.close();
    }
    turns.take(this::end);
  }

  private void end() {
    if (isClosed) {
      return;
    }
    try {
      write(); // without a look at the cluster, which may be gone
      file.force();
    } finally {
      isClosed = true;
      file.close();
    }
  }
}
