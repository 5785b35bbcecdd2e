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
import dev.isogrid.store.SegmentSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Maps segments on one thread: an attempt is some segments one after the other, whose pairs count
 * together or not at all.
 */
final class MapWorker<S, T> {
  /** How long an attempt may go on beginning segments: what is lost with a node, at most. */
  private static final long ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Entries between two updates of what others see of the progress. */
  private static final int COUNT_EVERY = 1000;

  private final NodeTask task;
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
  private long entries;
  private long inputBytes;
  private long emitted;

  @SuppressWarnings("unchecked") // the types are the user's promise
  MapWorker(NodeTask task, MapSource<S, T> source) {
    this.task = task;
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
    long begin = task.nanoTime();
    PairSender sender = new PairSender(task, round, number, task.collectorMaxBytes());
    aimAt(sender);
    List<Integer> mapped = new ArrayList<>();
    boolean isDone = true;
    try {
      Integer segment = firstSegment;
      while (segment != null && isDone) {
        long since = serving(segment);
        if (since < 0) {
          task.notServed(segment);
        } else {
          mapped.add(segment);
          isDone = map(segment, since);
        }
        count();
        boolean goesOn = isDone && task.nanoTime() - begin < ATTEMPT_NANOS;
        segment = goesOn ? task.nextSegment(round) : null;
      }
      if (isDone) {
        if (combining != null) {
          combining.flush();
        }
        sender.finish();
      }
    } finally {
      sender.abandon();
      view.release();
      if (combining != null) {
        combining.clear();
      }
      task.counters().mapNanos.add(task.nanoTime() - begin);
    }
    int[] segments = mapped.stream().mapToInt(Integer::intValue).toArray();
    return new Attempt(round.number(), number, number, segments, isDone);
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
              sender.add(key, value);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              throw new StoppedException();
            }
          };
    }
  }

  private long serving(int segment) {
    return engine.serving(segment);
  }

  /** Maps a segment; whether what was seen counts. */
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
          S stored = source.storedKey().apply(key);
          engine.peek(stored, source.hash().applyAsInt(stored), view, this::map);
        }
      }
    } catch (RetryableGridException moved) {
      return false;
    }
    return engine.hasServed(segment, since);
  }

  private void map(EntryView<S, T> entry) {
    task.checkGoesOn();
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
    Object key = null;
    try {
      key = source.key().apply(entry.key());
      Object value = source.value().apply(entry.value());
      if (mapper != null && (filter == null || filter.test(key, value))) {
        mapper.map(key, value, out);
      }
    } catch (StoppedException stopped) {
      throw stopped;
    } catch (Exception e) {
      throw new UserFailure("mapper", key, e);
    }
  }

  private void mapBytes(BytesMapper<Object, Object> ofBytes, BinaryKey key, Bytes value) {
    try {
      ofBytes.map(keyWindow.over(key), valueWindow.over(value), out);
    } catch (StoppedException stopped) {
      throw stopped;
    } catch (Exception e) {
      throw new UserFailure("mapper", "of %d bytes".formatted(key.length()), e);
    }
  }

  /** Adds up for all to see. */
  private void count() {
    task.counters().entries.add(entries);
    task.counters().inputBytes.add(inputBytes);
    task.counters().pairsEmitted.add(emitted);
    entries = 0;
    inputBytes = 0;
    emitted = 0;
  }
}
