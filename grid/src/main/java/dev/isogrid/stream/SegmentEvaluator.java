package dev.isogrid.stream;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.PackedEntries;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.topology.NodeId;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.BaseStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Runs a pipeline over segments of this node. Thread-safe. */
final class SegmentEvaluator<K, V, S, T> {
  /** The length of a slice, after which a node answers and leaves the rest for another question. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * The bytes of entries after which a node of a cluster answers with a result that may grow with
   * them, so that a message has room for it; objects can take several times the bytes of an entry.
   */
  private static final long COLLECTED_BYTES_MAX = 8 << 20;

  private static final int WORKERS_MAX = Runtime.getRuntime().availableProcessors();

  /** Bound while a thread runs a part of a stream. */
  static final ScopedValue<Boolean> IN_PART = ScopedValue.newInstance();

  final StreamCache<K, V, S, T> cache;
  final Pipeline pipeline;
  final @Nullable Map<Integer, List<S>> keys;
  private final StreamNode node;

  SegmentEvaluator(
      StreamCache<K, V, S, T> cache,
      Pipeline pipeline,
      @Nullable Map<Integer, List<S>> keys,
      StreamNode node) {
    this.cache = cache;
    this.pipeline = pipeline;
    this.keys = keys;
    this.node = node;
  }

  /** The node of this evaluator. */
  NodeId self() {
    return node.names().self();
  }

  /** The name of a node, for messages. */
  String nameOf(NodeId other) {
    return node.names().of(other);
  }

  /** Whether the slice that began at a moment is over. */
  BooleanSupplier sliceFrom(long beginNanos) {
    return () -> node.clock().nanoTime() - beginNanos >= SLICE_NANOS;
  }

  /**
   * Answers a question, on threads of the pool if functions of users may be called. Blocks; ends
   * early if it is interrupted.
   */
  StreamAnswer answer(Question question) throws InterruptedException {
    BooleanSupplier isOver = sliceFrom(node.clock().nanoTime());
    Terminal terminal = pipeline.terminal;
    if (pipeline.isRaw()) {
      return new PageReader<>(this, question, isOver).read();
    }
    if (terminal == null) {
      return all(node.pool(), List.of(() -> new PageReader<>(this, question, isOver).read()))
          .getFirst();
    }
    int[] segments = question.segments().stream().toArray();
    int workers = pipeline.isParallel ? Math.clamp(segments.length, 1, WORKERS_MAX) : 1;
    AtomicInteger next = new AtomicInteger();
    List<Callable<StreamAnswer>> tasks = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      tasks.add(() -> reduce(terminal, segments, next, isOver));
    }
    List<StreamAnswer> answers = all(node.pool(), tasks);
    StreamAnswer whole = answers.getFirst();
    answers.subList(1, answers.size()).forEach(each -> whole.add(each, terminal));
    return whole;
  }

  /**
   * Reads entries for a walk of this node, on the calling thread: those of one segment where they
   * are, if that keeps them as they are, else a page as a question gets. Only for pipelines without
   * functions. The answer has no elements if this node does not answer for the segments any more.
   *
   * @param room without entries; that of the page if there is one
   */
  StreamAnswer readHere(Question question, PackedEntries room) {
    StreamAnswer whole =
        question.cursorSegment() < 0 && keys == null
            ? tryTake(question.segments().nextSetBit(0))
            : null;
    return whole == null
        ? new PageReader<>(this, question, sliceFrom(node.clock().nanoTime()), room).read()
        : whole;
  }

  /** Takes the entries of a segment; null if they must be copied. */
  private @Nullable StreamAnswer tryTake(int segment) {
    StreamAnswer answer = new StreamAnswer();
    long since = since(segment);
    try {
      SegmentSnapshot<S, T> entries = since < 0 ? null : cache.engine().snapshot(segment);
      if (entries != null && entries.remaining() < 0) {
        return null;
      }
      if (entries != null && counts(segment, since)) {
        answer.entries = entries;
        answer.done.set(segment);
        return answer;
      }
    } catch (RuntimeException | Error failure) {
      if (!isLost(failure, segment, since)) {
        throw StreamFailures.at(failure, nameOf(self()), cache.engine().name(), segment);
      }
    }
    answer.refused.set(segment);
    return answer;
  }

  private static List<StreamAnswer> all(ExecutorService pool, List<Callable<StreamAnswer>> tasks)
      throws InterruptedException {
    try {
      List<StreamAnswer> answers = new ArrayList<>();
      for (Future<StreamAnswer> each : pool.invokeAll(bound(tasks))) {
        answers.add(each.get());
      }
      return answers;
    } catch (RejectedExecutionException full) {
      throw new RetryableGridException("too many streams at once on a node; try again", full);
    } catch (ExecutionException failure) {
      throw StreamFailures.unchecked(failure.getCause());
    }
  }

  private static List<Callable<StreamAnswer>> bound(List<Callable<StreamAnswer>> tasks) {
    List<Callable<StreamAnswer>> bound = new ArrayList<>(tasks.size());
    for (Callable<StreamAnswer> task : tasks) {
      bound.add(() -> ScopedValue.where(IN_PART, true).call(task::call));
    }
    return bound;
  }

  private StreamAnswer reduce(
      Terminal terminal, int[] segments, AtomicInteger next, BooleanSupplier isOver) {
    StreamAnswer answer = new StreamAnswer();
    CacheEngine<S, T> engine = cache.engine();
    boolean isBounded = terminal.mayGrow() && engine.isClustered();
    long bytes = 0;
    boolean isFirst = true;
    while (isFirst || (!isOver.getAsBoolean() && bytes < COLLECTED_BYTES_MAX)) {
      isFirst = false;
      int at = next.getAndIncrement();
      if (at >= segments.length || terminal.isEnough(answer.result)) {
        break;
      }
      bytes += isBounded ? engine.memoryUse(segments[at]).liveBytes() : 0;
      reduce(terminal, segments[at], answer);
    }
    return answer;
  }

  private void reduce(Terminal terminal, int segment, StreamAnswer answer) {
    CacheEngine<S, T> engine = cache.engine();
    long since = since(segment);
    if (since < 0) {
      answer.refused.set(segment);
      return;
    }
    Object partial;
    try {
      partial = onlyCounts() && keys == null ? engine.count(segment) : apply(terminal, segment);
    } catch (RuntimeException | Error failure) {
      if (isLost(failure, segment, since)) {
        answer.refused.set(segment);
        return;
      }
      throw StreamFailures.at(failure, nameOf(self()), engine.name(), segment);
    }
    if (counts(segment, since)) {
      answer.add(partial, terminal);
      answer.done.set(segment);
    } else {
      answer.refused.set(segment);
    }
  }

  private @Nullable Object apply(Terminal terminal, int segment) {
    BaseStream<?, ?> elements = StreamSupport.stream(entries(segment, shape()), false).unordered();
    return terminal.apply(pipeline.apply(elements), cache.user());
  }

  private boolean onlyCounts() {
    return pipeline.steps.isEmpty() && pipeline.terminal != null && pipeline.terminal.onlyCounts();
  }

  /**
   * A point for {@link #counts}, or -1 if this node can't answer for a segment now. A stream of
   * entries without functions may read a copy, if that has all that is committed.
   */
  long since(int segment) {
    boolean isCopyEnough = pipeline.isRaw() && pipeline.isRehashAware && keys == null;
    return isCopyEnough ? cache.engine().readable(segment) : cache.engine().serving(segment);
  }

  /** Whether the results of a segment since a point are valid. */
  boolean counts(int segment, long since) {
    return !pipeline.isRehashAware || cache.engine().hasServed(segment, since);
  }

  /** Whether a failure comes from a segment that was removed during the evaluation. */
  boolean isLost(Throwable failure, int segment, long since) {
    return failure instanceof RetryableGridException
        && !cache.engine().isClosed()
        && !cache.engine().hasServed(segment, since);
  }

  /** The entries of a segment. */
  EntrySpliterator<S, T> entries(int segment, EntrySpliterator.Shape<S, T> shape) {
    BitSet one = new BitSet();
    one.set(segment);
    boolean withValues = pipeline.part != EntryPart.KEYS;
    return new EntrySpliterator<>(cache.engine(), shape, one, keys, withValues, _ -> {}, true);
  }

  /** The elements for the first step. */
  EntrySpliterator.Shape<S, T> shape() {
    return onlyCounts() ? _ -> true : shape(cache.form(), pipeline.part, keys != null);
  }

  /**
   * Elements in the form for users.
   *
   * @param isOfKeys whether windows are valid only while an element is made
   */
  static <K, V, S, T> EntrySpliterator.Shape<S, T> shape(
      EntryForm<K, V, S, T> form, EntryPart part, boolean isOfKeys) {
    return switch (part) {
      case KEYS -> view -> form.key(view.key());
      case VALUES -> view -> form.value(view.value());
      case ENTRIES -> view -> entry(form, view);
      case BYTES -> isOfKeys ? EntryWindow::copyOf : new EntryWindow()::over;
    };
  }

  @SuppressWarnings("unchecked") // a container of binary keys has bytes as values
  private static <K, V, S, T> Object entry(EntryForm<K, V, S, T> form, EntryView<S, T> view) {
    return view.key() instanceof BinaryKey key
        ? new LazyEntry<>(
            (EntryForm<K, V, BinaryKey, Bytes>) form,
            key.toByteArray(),
            ((Bytes) view.value()).toByteArray())
        : new AbstractMap.SimpleImmutableEntry<>(form.key(view.key()), form.value(view.value()));
  }
}
