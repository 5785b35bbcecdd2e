package dev.isogrid.stream;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.PackedEntries;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Makes a page of the elements of some segments. For one thread, once. */
final class PageReader<K, V, S, T> {
  /*
   * A page has the elements of whole segments, in no order, as long as there is room. A segment
   * that is too large for a page of its own is cut: its entries are ordered by hash and key, and a
   * page has the elements of those that follow the last page's, as many as there is room for. What
   * other nodes need to know to go on is the last key, so it does not matter which node goes on.
   * Each such page costs a walk through the segment, of which it keeps what fits.
   */
  /** What an element takes beside its bytes, about. */
  private static final int ELEMENT_OVERHEAD = 16;

  private static final int ELEMENTS_MAX = 1 << 16;

  /** A segment that is not larger is not cut if it is the first of a page. */
  private static final int WHOLE_BYTES_MAX = 1 << 20;

  /** An entry that a page has room for. */
  private static final class Selected {
    static final Comparator<Selected> ORDER =
        Comparator.comparing((Selected s) -> s.hash, Integer::compareUnsigned)
            .thenComparing(s -> s.key, Arrays::compareUnsigned);

    final int hash;
    final byte[] key;
    final byte[] entry;
    final long version;

    Selected(BinaryKey key, EntryView<?, ?> view, boolean withValue) {
      this.hash = key.hash();
      this.key = key.toByteArray();
      this.entry = PackedEntries.one(view, withValue);
      this.version = view.version();
    }

    int size() {
      return entry.length + PackedEntries.ENTRY_OVERHEAD;
    }
  }

  private final SegmentEvaluator<K, V, S, T> evaluator;
  private final CacheEngine<S, T> engine;
  private final Pipeline pipeline;
  private final Question question;
  private final BooleanSupplier isOver;
  private final int elementsMax;
  private final StreamAnswer page = new StreamAnswer();

  /** About the bytes of the elements so far. */
  private long bytes;

  /** The size of the entry that is looked at. */
  private int entrySize;

  PageReader(SegmentEvaluator<K, V, S, T> evaluator, Question question, BooleanSupplier isOver) {
    this.evaluator = evaluator;
    this.engine = evaluator.cache.engine();
    this.pipeline = evaluator.pipeline;
    this.question = question;
    this.isOver = isOver;
    this.elementsMax =
        pipeline.batchElements == 0 ? ELEMENTS_MAX : Math.min(pipeline.batchElements, ELEMENTS_MAX);
  }

  StreamAnswer read() {
    boolean isFirst = true;
    int begun = question.cursorSegment();
    if (begun >= 0 && question.segments().get(begun)) {
      read(begun);
      isFirst = false;
    }
    for (int segment = question.segments().nextSetBit(0);
        segment >= 0 && (isFirst || hasRoom());
        segment = question.segments().nextSetBit(segment + 1)) {
      if (segment != begun && !read(segment)) {
        break;
      }
      isFirst = false;
    }
    return page;
  }

  private boolean hasRoom() {
    return page.cursorSegment < 0
        && bytes < question.pageBytes()
        && page.count() < elementsMax
        && !isOver.getAsBoolean();
  }

  /** Reads a segment; false if it is to be the first one of a page instead. */
  private boolean read(int segment) {
    long since = engine.serving(segment);
    if (since < 0) {
      page.refused.set(segment);
      return true;
    }
    Mark mark = mark();
    boolean isRead;
    try {
      isRead = readWhole(segment);
      if (!isRead) {
        truncate(mark);
        if (page.count() > 0) {
          return false;
        }
        readInOrder(segment);
      }
    } catch (RuntimeException | Error failure) {
      if (!evaluator.isLost(failure, segment, since)) {
        throw StreamFailures.at(failure, evaluator.self(), engine.name(), segment);
      }
      refuse(segment, mark);
      return true;
    }
    if (!evaluator.counts(segment, since)) {
      refuse(segment, mark);
    } else if (page.cursorSegment != segment) {
      page.done.set(segment);
    }
    return true;
  }

  /** How much a page had. */
  private record Mark(int elements, int entries, int entriesBytes) {}

  private Mark mark() {
    return new Mark(page.elements.size(), page.packed.count(), page.packed.sizeBytes());
  }

  private void truncate(Mark mark) {
    page.elements.subList(mark.elements, page.elements.size()).clear();
    page.packed.truncate(mark.entriesBytes, mark.entries);
  }

  private void refuse(int segment, Mark mark) {
    truncate(mark);
    page.refused.set(segment);
    page.cursorSegment = -1;
    page.cursor = null;
  }

  private byte @Nullable [] after(int segment) {
    return segment == question.cursorSegment() ? question.cursor().key : null;
  }

  /** Reads the rest of a segment in no order; false if there is no room for it. */
  private boolean readWhole(int segment) {
    byte[] after = after(segment);
    int afterHash = after == null ? 0 : BinaryKey.of(after).hash();
    EntrySpliterator.Shape<S, T> shape = pipeline.isRaw() ? this::pack : evaluator.shape();
    EntrySpliterator<S, T> entries =
        evaluator.entries(
            segment,
            view -> {
              if (after != null && !follows((BinaryKey) view.key(), afterHash, after)) {
                return null;
              }
              entrySize = size(view);
              return shape.of(view);
            });
    int countBefore = page.count();
    long before = bytes;
    long bytesMax =
        countBefore == 0 ? Math.max(question.pageBytes(), WHOLE_BYTES_MAX) : question.pageBytes();
    boolean[] fits = {true};
    take(
        entries,
        element -> {
          if (!pipeline.isRaw()) {
            page.elements.add(element);
          }
          bytes += entrySize;
          if (bytes > bytesMax || page.count() > elementsMax) {
            fits[0] = page.count() - countBefore <= 1;
            if (!fits[0]) {
              entries.stop();
            }
          }
        });
    if (!fits[0]) {
      bytes = before;
    }
    return fits[0];
  }

  private int size(EntryView<S, T> view) {
    int ofKey = pipeline.part == EntryPart.VALUES ? 0 : ((BinaryKey) view.key()).length();
    int ofValue = pipeline.part == EntryPart.KEYS ? 0 : ((Bytes) view.value()).length();
    return ofKey + ofValue + ELEMENT_OVERHEAD;
  }

  private static boolean follows(BinaryKey key, int afterHash, byte[] after) {
    int order = Integer.compareUnsigned(key.hash(), afterHash);
    return order > 0 || (order == 0 && Arrays.compareUnsigned(key.toByteArray(), after) > 0);
  }

  private Object pack(EntryView<S, T> view) {
    page.packed.add(view, pipeline.part != EntryPart.KEYS);
    return true;
  }

  private void take(EntrySpliterator<S, T> entries, java.util.function.Consumer<Object> sink) {
    if (pipeline.steps.isEmpty()) {
      entries.forEachRemaining(sink);
    } else {
      boxed(pipeline.apply(StreamSupport.stream(entries, false))).forEach(sink);
    }
  }

  /** A stream of any kind as one of objects. */
  static Stream<Object> boxed(BaseStream<?, ?> stream) {
    return switch (stream) {
      case IntStream ints -> ints.mapToObj(each -> each);
      case LongStream longs -> longs.mapToObj(each -> each);
      case DoubleStream doubles -> doubles.mapToObj(each -> each);
      default -> Step.objects(stream);
    };
  }

  /** Reads the entries of a segment that follow the cursor, as many as a page is to have. */
  private void readInOrder(int segment) {
    byte[] after = after(segment);
    int afterHash = after == null ? 0 : BinaryKey.of(after).hash();
    PriorityQueue<Selected> selected = new PriorityQueue<>(Selected.ORDER.reversed());
    long[] size = {0};
    boolean[] isCut = {false};
    evaluator
        .entries(
            segment,
            view -> {
              BinaryKey key = (BinaryKey) view.key();
              if (after == null || follows(key, afterHash, after)) {
                select(view, key, selected, size, isCut);
              }
              return null;
            })
        .forEachRemaining(_ -> {});
    List<Selected> ordered = selected.stream().sorted(Selected.ORDER).toList();
    if (pipeline.isRaw()) {
      ordered.forEach(each -> page.packed.add(each.entry, each.version));
    } else {
      EntryView<S, T> window = engine.newView();
      Stream<Object> elements = ordered.stream().map(each -> element(each, window));
      page.elements.addAll(boxed(pipeline.apply(elements)).toList());
    }
    bytes += size[0];
    if (isCut[0]) {
      page.cursorSegment = segment;
      page.cursor = ordered.getLast().key;
    }
  }

  private void select(
      EntryView<S, T> view,
      BinaryKey key,
      PriorityQueue<Selected> selected,
      long[] size,
      boolean[] isCut) {
    Selected last = selected.peek();
    boolean isFull = size[0] >= question.pageBytes() || selected.size() >= elementsMax;
    if (isFull && last != null && follows(key, last.hash, last.key)) {
      isCut[0] = true;
      return;
    }
    Selected added = new Selected(key, view, pipeline.part != EntryPart.KEYS);
    selected.add(added);
    size[0] += added.size();
    while (isTooMuch(selected, size[0])) {
      size[0] -= selected.remove().size();
      isCut[0] = true;
    }
  }

  private boolean isTooMuch(PriorityQueue<Selected> selected, long size) {
    Selected last = selected.peek();
    return last != null
        && selected.size() > 1
        && (size - last.size() >= question.pageBytes() || selected.size() > elementsMax);
  }

  private Object element(Selected entry, EntryView<S, T> window) {
    PackedEntries.show(entry.entry, entry.version, window);
    return Objects.requireNonNull(evaluator.shape().of(window));
  }
}
