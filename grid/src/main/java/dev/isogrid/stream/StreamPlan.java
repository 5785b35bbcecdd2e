package dev.isogrid.stream;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The operations of a stream so far, and its evaluation. For one thread, once. */
final class StreamPlan<K, V, S, T> {
  /*
   * In a cluster, the steps before the first one that depends on several elements run on the nodes,
   * together with a terminal if there is no such step. A part of distinct and limit can also be
   * done there, which saves traffic; the same applies to a limit after sorted. The rest runs here,
   * over the elements that arrive page by page. A cache of this node alone needs none of that
   * unless it uses several threads.
   */
  final StreamControls controls = new StreamControls();
  private final Streams streams;
  private final StreamCache<K, V, S, T> cache;
  private final CacheEngine<S, T> engine;
  private final EntryPart part;
  private final List<Step> steps = new ArrayList<>();
  private final List<Runnable> closers = new ArrayList<>();
  private boolean isUsed;

  StreamPlan(Streams streams, StreamCache<K, V, S, T> cache, EntryPart part) {
    this.streams = streams;
    this.cache = cache;
    this.engine = cache.engine();
    this.part = part;
  }

  /** Appends a step. */
  void add(Step.Kind kind, @Nullable Object argument) {
    if (isUsed) {
      throw used();
    }
    if (kind.isGlobal) {
      checkKept(kind);
    }
    steps.add(new Step(kind, argument));
  }

  /** Refuses an operation that needs elements for longer than they are valid. */
  private void checkKept(Enum<?> operation) {
    boolean isOfWindows = steps.stream().allMatch(step -> step.kind().keepsElements);
    if (part == EntryPart.BYTES && isOfWindows) {
      throw new InvalidRequestException(
          ("bytes of entries are valid during a call only: cache=%s, operation=%s; map them to what"
                  + " is to be kept first")
              .formatted(engine.name(), operation));
    }
  }

  private static IllegalStateException used() {
    return new IllegalStateException(
        "stream has already been operated upon or closed; make a new one");
  }

  void onClose(Runnable closer) {
    closers.add(Objects.requireNonNull(closer));
  }

  /** Runs the registered tasks of the end, all of them even if some fail. */
  void close() {
    isUsed = true;
    RuntimeException failure = null;
    List<Runnable> open = List.copyOf(closers);
    closers.clear();
    for (Runnable each : open) {
      try {
        each.run();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  void segments(int... wanted) {
    BitSet segments = new BitSet();
    for (int segment : wanted) {
      if (segment < 0 || segment >= engine.segmentCount()) {
        throw new IllegalArgumentException(
            "no such segment: segment=%d, segments=%d; count from 0"
                .formatted(segment, engine.segmentCount()));
      }
      segments.set(segment);
    }
    controls.segments = segments;
  }

  // ---- evaluation

  /** Evaluates a terminal; the result has the form of {@link Terminal}. */
  @Nullable Object evaluate(Terminal terminal) {
    if (terminal.kind().keepsElements) {
      checkKept(terminal.kind());
    }
    use();
    boolean isWhole =
        controls.segments == null && controls.keys == null && controls.listener == null;
    if (terminal.onlyCounts() && steps.isEmpty() && isWhole && !engine.isClustered()) {
      return engine.size();
    }
    int split = firstGlobal();
    if (split < steps.size() || (!engine.isClustered() && !controls.isParallel)) {
      List<PagedElements<S, T>> open = new ArrayList<>();
      try {
        return terminal.apply(localStream(open), cache.user());
      } finally {
        open.forEach(PagedElements::close);
      }
    }
    return reduce(terminal);
  }

  private @Nullable Object reduce(Terminal terminal) {
    StreamAnswer whole = new StreamAnswer();
    try (Rounds rounds = rounds(steps, terminal)) {
      for (StreamAnswer each = rounds.next(); each != null; each = rounds.next()) {
        whole.add(each, terminal);
        Consumer<int[]> listener = controls.listener;
        if (listener != null && !each.done.isEmpty()) {
          listener.accept(each.done.stream().toArray());
        }
        if (terminal.isEnough(whole.result)) {
          break;
        }
      }
    }
    return whole.hasResult ? whole.result : terminal.apply(nothing(), cache.user());
  }

  /** The stream's kind over no elements. */
  private BaseStream<?, ?> nothing() {
    return Pipeline.applied(StreamSupport.stream(Spliterators.emptySpliterator(), false), steps);
  }

  /** The elements here; closing them ends the work of nodes. */
  BaseStream<?, ?> elements() {
    checkKept(EntryPart.BYTES);
    use();
    List<PagedElements<S, T>> open = new ArrayList<>();
    BaseStream<?, ?> local = localStream(open);
    closers.addFirst(() -> open.forEach(PagedElements::close));
    return local;
  }

  private void use() {
    if (isUsed) {
      throw used();
    }
    isUsed = true;
    engine.checkOpen();
  }

  private int firstGlobal() {
    int index = 0;
    while (index < steps.size() && !steps.get(index).kind().isGlobal) {
      index++;
    }
    return index;
  }

  private BaseStream<?, ?> localStream(List<PagedElements<S, T>> open) {
    if (!engine.isClustered()) {
      return Pipeline.applied(StreamSupport.stream(localEntries(), false), steps);
    }
    int split = firstGlobal();
    List<Step> far = steps.subList(0, split + sentToo(split));
    Rounds rounds = rounds(far, null);
    PagedElements<S, T> elements =
        new PagedElements<>(
            rounds, engine, SegmentEvaluator.shape(cache.form(), part, false), controls.listener);
    open.add(elements);
    Spliterator<@Nullable Object> each =
        Spliterators.spliteratorUnknownSize(elements, Spliterator.IMMUTABLE);
    return Pipeline.applied(unboxed(StreamSupport.stream(each, false), split), rest(split));
  }

  /** The number of steps that depend on several elements and that nodes execute in part. */
  private int sentToo(int split) {
    if (split == steps.size()) {
      return 0;
    }
    Step.Kind next = steps.get(split).kind();
    boolean isLimitNext =
        split + 1 < steps.size() && steps.get(split + 1).kind() == Step.Kind.LIMIT;
    return switch (next) {
      case DISTINCT, LIMIT -> 1;
      case SORTED -> isLimitNext ? 2 : 0;
      default -> 0;
    };
  }

  private List<Step> rest(int split) {
    return steps.subList(split, steps.size());
  }

  /** Elements as a stream of the kind that a step receives. */
  private BaseStream<?, ?> unboxed(Stream<@Nullable Object> stream, int before) {
    return switch (shapeBefore(before)) {
      case INT -> stream.mapToInt(each -> (Integer) Objects.requireNonNull(each));
      case LONG -> stream.mapToLong(each -> (Long) Objects.requireNonNull(each));
      case DOUBLE -> stream.mapToDouble(each -> (Double) Objects.requireNonNull(each));
      case OBJECT -> stream;
    };
  }

  private enum Shape {
    OBJECT,
    INT,
    LONG,
    DOUBLE
  }

  private Shape shapeBefore(int end) {
    Shape shape = Shape.OBJECT;
    for (Step step : steps.subList(0, end)) {
      shape =
          switch (step.kind()) {
            case MAP_TO_OBJECT, BOXED -> Shape.OBJECT;
            case MAP_TO_INT, FLAT_MAP_TO_INT -> Shape.INT;
            case MAP_TO_LONG, FLAT_MAP_TO_LONG, AS_LONG -> Shape.LONG;
            case MAP_TO_DOUBLE, FLAT_MAP_TO_DOUBLE, AS_DOUBLE -> Shape.DOUBLE;
            default -> shape;
          };
    }
    return shape;
  }

  private BitSet wanted(@Nullable Map<Integer, List<S>> keys) {
    BitSet wanted = new BitSet();
    wanted.set(0, engine.segmentCount());
    BitSet given = controls.segments;
    if (given != null) {
      wanted.and(given);
    }
    if (keys != null) {
      BitSet ofKeys = new BitSet();
      keys.keySet().forEach(ofKeys::set);
      wanted.and(ofKeys);
    }
    return wanted;
  }

  private @Nullable Map<Integer, List<S>> keys() {
    Set<?> keys = controls.keys;
    return keys == null ? null : SegmentKeys.of(cache, keys);
  }

  private EntrySpliterator<S, T> localEntries() {
    Map<Integer, List<S>> keys = keys();
    Consumer<int[]> listener = controls.listener;
    IntConsumer whenDone =
        listener == null ? _ -> {} : segment -> listener.accept(new int[] {segment});
    return new EntrySpliterator<>(
        engine,
        SegmentEvaluator.shape(cache.form(), part, keys != null),
        wanted(keys),
        keys,
        part != EntryPart.KEYS,
        whenDone,
        false);
  }

  private Rounds rounds(List<Step> far, @Nullable Terminal terminal) {
    Map<Integer, List<S>> keys = keys();
    Pipeline pipeline = new Pipeline(engine.name(), part, far, terminal, keyBytes(keys), controls);
    SegmentEvaluator<K, V, S, T> here =
        new SegmentEvaluator<>(cache, pipeline, keys, streams.node(pipeline));
    return new Rounds(streams, here, wanted(keys), controls);
  }

  /** The keys in the form for other nodes; null for all, or if there are no other nodes. */
  private byte @Nullable [][] keyBytes(@Nullable Map<Integer, List<S>> keys) {
    if (keys == null || !engine.isClustered()) {
      return null;
    }
    return keys.values().stream()
        .flatMap(List::stream)
        .map(key -> ((BinaryKey) key).toByteArray())
        .toArray(byte[][]::new);
  }
}
