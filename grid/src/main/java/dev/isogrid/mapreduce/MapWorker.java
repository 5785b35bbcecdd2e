package dev.isogrid.mapreduce;

import dev.isogrid.api.BytesMapper;
import dev.isogrid.api.Collector;
import dev.isogrid.api.Combiner;
import dev.isogrid.api.EntryFilter;
import dev.isogrid.api.Mapper;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.mapreduce.Control.Attempt;
import dev.isogrid.mapreduce.Control.Round;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.BytesWindow;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.PackedEntries;
import dev.isogrid.store.SegmentSnapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Maps segments on one thread. An attempt is several segments in sequence, whose pairs count
 * together or not at all.
 */
final class MapWorker<S, T> {
  /**
   * The time in which an attempt may begin segments, which is the most that is lost with a node.
   */
  private static final long ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Entries between two updates of the visible progress. */
  private static final int COUNT_EVERY = 1000;

  private final NodeTask task;
  private final AttemptScheduler attempts;
  private final int worker;
  private final MapSource<S, T> source;
  private final CacheEngine<S, T> engine;
  private final EntryView<S, T> view;
  private final @Nullable EntryFilter<Object, Object> filter;
  private final @Nullable Mapper<Object, Object, Object, Object> mapper;
  private final @Nullable BytesMapper<Object, Object> bytesMapper;
  private final @Nullable CombiningCollector combining;
  private final BytesWindow keyWindow = new BytesWindow();
  private final BytesWindow valueWindow = new BytesWindow();
  private Collector<Object, Object> out = (_, _) -> {};

  /** The round of the attempt, and its number. */
  private @Nullable Round round;

  private long attempt;
  private long entries;
  private long inputBytes;
  private long emitted;

  /** Work of a worker under an attempt's number; returns whether its pairs are needed. */
  private interface Mapping {
    boolean run(long beginNanos);
  }

  /**
   * Begins without an attempt.
   *
   * @param worker the thread's number among those of the task, from 0
   */
  @SuppressWarnings("unchecked") // the types are the user's promise
  MapWorker(NodeTask task, MapSource<S, T> source, int worker) {
    this.task = task;
    this.attempts = task.attempts();
    this.worker = worker;
    this.source = source;
    this.engine = source.engine();
    this.view = engine.newView();
    TaskSpec spec = task.spec();
    this.filter = spec.filter();
    boolean byBytes = spec.mapper() instanceof BytesMapper;
    this.mapper = byBytes ? null : (Mapper<Object, Object, Object, Object>) spec.mapper();
    this.bytesMapper = byBytes ? (BytesMapper<Object, Object>) spec.mapper() : null;
    Combiner<Object> combiner = spec.combiner();
    this.combining =
        combiner == null
            ? null
            : new CombiningCollector(
                combiner, valueWindow, task.collectorMaxBytes(), task.counters());
  }

  /**
   * Makes one attempt.
   *
   * @throws UserFailure if a function of the user failed
   * @throws StoppedException if the task ended
   */
  Attempt attempt(Round round, long number, int firstSegment) throws InterruptedException {
    List<Integer> mapped = new ArrayList<>();
    boolean isDone = send(round, number, begin -> mapSegments(round, begin, firstSegment, mapped));
    int[] segments = mapped.stream().mapToInt(Integer::intValue).toArray();
    return new Attempt(round.number(), number, number, segments, isDone);
  }

  private boolean mapSegments(Round round, long begin, int first, List<Integer> mapped) {
    boolean isDone = true;
    Integer segment = first;
    while (segment != null && isDone) {
      long since = engine.serving(segment);
      if (since < 0) {
        attempts.notServed(segment);
      } else {
        mapped.add(segment);
        isDone = map(segment, since);
      }
      count();
      boolean goesOn = isDone && task.nanoTime() - begin < ATTEMPT_NANOS;
      segment = goesOn ? attempts.nextSegment(round) : null;
    }
    return isDone;
  }

  /**
   * Maps parts of another worker's value that this one joined, and leaves it.
   *
   * @throws UserFailure if a function of the user failed
   * @throws StoppedException if the task ended
   */
  void help(SharedValue shared) throws InterruptedException {
    try {
      boolean _ =
          send(
              shared.round(),
              shared.attempt(),
              _ -> {
                mapParts(shared);
                return true;
              });
    } catch (RuntimeException | Error | InterruptedException failed) {
      shared.stop();
      attempts.fail(failed); // before the owner goes on, and says that all is done
      throw failed;
    } finally {
      shared.leave();
    }
  }

  /** Sends the pairs of a mapping to their nodes, unless they are not needed. */
  private boolean send(Round ofRound, long number, Mapping mapping) throws InterruptedException {
    long begin = task.nanoTime();
    round = ofRound;
    attempt = number;
    PairSender sender = new PairSender(task, ofRound, number, task.collectorMaxBytes());
    aimAt(sender);
    try {
      boolean isDone = mapping.run(begin);
      if (isDone) {
        if (combining != null) {
          combining.flush();
        }
        sender.finish();
      }
      return isDone;
    } finally {
      sender.abandon();
      view.release();
      if (combining != null) {
        combining.clear();
      }
      count();
      task.counters().mapped(worker, task.nanoTime() - begin);
    }
  }

  private void aimAt(PairSender sender) {
    if (combining != null) {
      combining.target(sender);
      out = combining;
    } else {
      out =
          (key, value) -> {
            emitted++;
            try {
              sender.add(CombiningCollector.checked(key), CombiningCollector.checked(value));
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              throw new StoppedException();
            }
          };
    }
  }

  /** Maps a segment; returns whether its pairs count. */
  private boolean map(int segment, long since) {
    List<Object> keys = task.keys(segment);
    try {
      if (keys == null) {
        SegmentSnapshot<S, T> walk = engine.snapshot(segment);
        while (walk.next(view)) {
          if (!view.isMortal() || !view.isExpired(engine.nowMillis())) {
            map(view);
          }
        }
      } else {
        for (Object key : keys) {
          mapKey(source.storedKey().apply(key));
        }
      }
    } catch (RetryableGridException moved) {
      return false;
    }
    return engine.hasServed(segment, since);
  }

  /** Maps the entry of a key: a copy of bytes, since a read that is disturbed shows it again. */
  @SuppressWarnings("unchecked") // the entry of a key of bytes is bytes
  private void mapKey(S stored) {
    int hash = source.hash().applyAsInt(stored);
    if (!source.isBytes()) {
      engine.peek(stored, hash, view, this::map);
      return;
    }
    PackedEntries copy = new PackedEntries();
    boolean isFound =
        engine.peek(
            stored,
            hash,
            view,
            entry -> {
              copy.truncate(0, 0);
              copy.add(entry, true);
            });
    if (isFound) {
      map((EntryView<S, T>) (EntryView<?, ?>) copy.first());
    }
  }

  private void map(EntryView<S, T> entry) {
    attempts.checkGoesOn();
    entries++;
    if (source.isBytes()) {
      inputBytes += ((BinaryKey) entry.key()).length() + ((Bytes) entry.value()).length();
    }
    BytesMapper<Object, Object> ofBytes = bytesMapper;
    if (ofBytes != null) {
      mapBytes(ofBytes, (BinaryKey) entry.key(), (Bytes) entry.value());
    } else {
      mapObjects(entry);
    }
    if (entries >= COUNT_EVERY) {
      count();
    }
  }

  private void mapObjects(EntryView<S, T> entry) {
    Object key = entry.key();
    String step = "reading the entry";
    try {
      Object read = source.key().apply(entry.key());
      key = read;
      Object value = source.value().apply(entry.value());
      step = "mapper";
      if (mapper != null && (filter == null || filter.test(read, value))) {
        mapObject(mapper, read, value, entry);
      }
    } catch (StoppedException | UserFailure known) {
      throw known;
    } catch (Exception e) {
      throw new UserFailure(step, key, e);
    }
  }

  private void mapObject(
      Mapper<Object, Object, Object, Object> ofObjects,
      Object key,
      Object value,
      EntryView<S, T> entry)
      throws Exception {
    long bytes = source.isBytes() ? ((Bytes) entry.value()).length() : ValueParts.sizeBytes(value);
    if (!task.mayShare() || !ValueParts.isLarge(bytes)) {
      ofObjects.map(key, value, out);
      return;
    }
    List<Object> parts;
    try {
      parts = ValueParts.of(ofObjects, value, bytes, task.workersMax());
    } catch (RuntimeException e) {
      throw new UserFailure("splitter", key, e);
    }
    if (parts.size() == 1) {
      ofObjects.map(key, parts.getFirst(), out);
    } else {
      mapTogether(new SharedValue.OfObjects(key, parts));
    }
  }

  private void mapBytes(BytesMapper<Object, Object> ofBytes, BinaryKey key, Bytes value) {
    ByteBuffer keyBytes = keyWindow.over(key);
    ByteBuffer valueBytes = valueWindow.over(value);
    if (task.mayShare() && ValueParts.isLarge(value.length())) {
      int[] ends = ends(ofBytes, key, valueBytes);
      if (ends.length > 1) {
        mapTogether(
            new SharedValue.OfBytes(
                SharedValue.Range.of(keyWindow), SharedValue.Range.of(valueWindow), ends));
        return;
      }
    }
    mapBytes(ofBytes, keyBytes, valueBytes);
  }

  private int[] ends(BytesMapper<Object, Object> ofBytes, BinaryKey key, ByteBuffer value) {
    try {
      return ValueParts.ends(ofBytes, value, task.workersMax());
    } catch (RuntimeException e) {
      throw new UserFailure("splitter", "of %d bytes".formatted(key.length()), e);
    }
  }

  private void mapBytes(BytesMapper<Object, Object> ofBytes, ByteBuffer key, ByteBuffer value) {
    try {
      ofBytes.map(key, value, out);
    } catch (StoppedException stopped) {
      throw stopped;
    } catch (Exception e) {
      throw new UserFailure("mapper", "of %d bytes".formatted(keyWindow.length()), e);
    }
  }

  // ---- large values

  /** Maps a value together with idle workers; returns when all of it is mapped. */
  private void mapTogether(SharedValue.Content content) {
    SharedValue shared = new SharedValue(Objects.requireNonNull(round), attempt, content);
    try {
      attempts.share(shared);
      mapParts(shared);
    } catch (RuntimeException | Error failed) {
      shared.stop();
      attempts.fail(failed); // not after the others, who may not end before that
      throw failed;
    } finally {
      attempts.unshare(shared);
      shared.awaitHelpers();
    }
  }

  private void mapParts(SharedValue shared) {
    for (int part = shared.tryTake(); part >= 0; part = shared.tryTake()) {
      attempts.checkGoesOn();
      switch (shared.content()) {
        case SharedValue.OfBytes bytes ->
            mapBytes(
                Objects.requireNonNull(bytesMapper),
                bytes.key().shownBy(keyWindow),
                bytes.part(part, valueWindow));
        case SharedValue.OfObjects objects -> mapPart(objects.key(), objects.parts().get(part));
      }
    }
  }

  private void mapPart(Object key, Object part) {
    try {
      Objects.requireNonNull(mapper).map(key, part, out);
    } catch (StoppedException stopped) {
      throw stopped;
    } catch (Exception e) {
      throw new UserFailure("mapper", key, e);
    }
  }

  /** Updates the visible counts. */
  private void count() {
    task.counters().entries.add(entries);
    task.counters().inputBytes.add(inputBytes);
    task.counters().pairsEmitted.add(emitted);
    entries = 0;
    inputBytes = 0;
    emitted = 0;
  }
}
