package dev.isogrid.stream;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.PackedEntries;
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
   * that is too large for a page of its own is cut. Its entries are taken in their order, and a
   * page continues after the previous page, as long as there is room and time. Any node can
   * continue, since it only needs the last key. The cost of a page is proportional to its content;
   * a page that began in no order and ran out of room costs that twice, unless the size of the
   * segment tells so before.
   */
  /** The approximate bytes of an element beside its content. */
  private static final int ELEMENT_OVERHEAD = 16;

  private static final int ELEMENTS_MAX = 1 << 16;

  /** The largest segment that is never cut if it is the first of a page. */
  private static final int WHOLE_BYTES_MAX = 1 << 20;

  /** The size above which a segment is not even tried as a whole. */
  private static final int TRIED_BYTES_MAX = 4 << 20;

  /** The number of entries between two checks of the time. */
  private static final int TIME_EVERY = 1024;

  private final SegmentEvaluator<K, V, S, T> evaluator;
  private final CacheEngine<S, T> engine;
  private final Pipeline pipeline;
  private final Question question;
  private final BooleanSupplier isOver;
  private final int elementsMax;
  private final StreamAnswer page = new StreamAnswer();

  /** The approximate bytes of the elements so far. */
  private long bytes;

  /** The size of the current entry. */
  private int entrySize;

  private long entriesSeen;

  /** The entries that are now read in order, or null. */
  private @Nullable EntrySpliterator<S, T> ordered;

  /** Prepares a page that is sent. */
  PageReader(SegmentEvaluator<K, V, S, T> evaluator, Question question, BooleanSupplier isOver) {
    this(evaluator, question, isOver, PackedEntries.afterHead(StreamCodec.HEAD_ROOM));
  }

  /**
   * Prepares a page.
   *
   * @param room without entries; gets those of a stream without steps
   */
  PageReader(
      SegmentEvaluator<K, V, S, T> evaluator,
      Question question,
      BooleanSupplier isOver,
      PackedEntries room) {
    this.evaluator = evaluator;
    this.engine = evaluator.cache.engine();
    this.pipeline = evaluator.pipeline;
    this.question = question;
    this.isOver = isOver;
    this.elementsMax =
        pipeline.batchElements == 0 ? ELEMENTS_MAX : Math.min(pipeline.batchElements, ELEMENTS_MAX);
    if (pipeline.isRaw()) {
      page.packed = room;
    }
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

  /** Reads a segment; returns false if it must be the first one of a page instead. */
  private boolean read(int segment) {
    long since = evaluator.since(segment);
    if (since < 0) {
      page.refused.set(segment);
      return true;
    }
    Mark mark = mark();
    boolean isRead;
    try {
      isRead = isWholeTried(segment) && readWhole(segment);
      if (!isRead) {
        truncate(mark);
        if (page.count() > 0) {
          return false;
        }
        readInOrder(segment);
      }
    } catch (RuntimeException | Error failure) {
      if (!evaluator.isLost(failure, segment, since)) {
        throw StreamFailures.at(
            failure, evaluator.nameOf(evaluator.self()), engine.name(), segment);
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

  /** The content of a page at a point. */
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

  private boolean isWholeTried(int segment) {
    if (after(segment) != null) {
      return false;
    }
    long live = engine.memoryUse(segment).liveBytes();
    if (!pipeline.isRaw() || pipeline.part != EntryPart.ENTRIES) {
      return live <= TRIED_BYTES_MAX;
    }
    // all of it would come into the page, with more bytes than it has there
    boolean fits = bytes + live <= wholeBytesMax();
    if (fits && page.count() == 0) {
      long fitting = Math.max(1, question.pageBytes() / Math.max(1, live));
      page.packed.expect((int) (live * Math.min(fitting, question.segments().cardinality())));
    }
    return fits;
  }

  /** The most bytes of a page after a segment that is not cut. */
  private long wholeBytesMax() {
    int pageBytes = question.pageBytes();
    return page.count() == 0 ? Math.max(pageBytes, WHOLE_BYTES_MAX) : pageBytes;
  }

  /** Reads a segment in no order; returns false if there is no room for it. */
  private boolean readWhole(int segment) {
    EntrySpliterator<S, T> entries = entries(segment);
    int countBefore = page.count();
    long before = bytes;
    long bytesMax = wholeBytesMax();
    boolean[] fits = {true};
    take(
        entries,
        element -> {
          add(element);
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

  private EntrySpliterator<S, T> entries(int segment) {
    EntrySpliterator.Shape<S, T> shape = pipeline.isRaw() ? this::pack : evaluator.shape();
    return evaluator.entries(
        segment,
        view -> {
          entrySize = size(view);
          if (++entriesSeen % TIME_EVERY == 0 && isOver.getAsBoolean()) {
            cut(segment);
          }
          return shape.of(view);
        });
  }

  /** Ends the page after the current entry, if the segment is read in order. */
  private void cut(int segment) {
    EntrySpliterator<S, T> entries = ordered;
    if (entries != null && entries.stop()) {
      page.cursorSegment = segment;
      page.cursor = ((BinaryKey) entries.key()).toByteArray();
    }
  }

  private void add(Object element) {
    if (!pipeline.isRaw()) {
      page.elements.add(element);
    }
    bytes += entrySize;
  }

  private int size(EntryView<S, T> view) {
    int ofKey = pipeline.part == EntryPart.VALUES ? 0 : ((BinaryKey) view.key()).length();
    int ofValue = pipeline.part == EntryPart.KEYS ? 0 : ((Bytes) view.value()).length();
    return ofKey + ofValue + ELEMENT_OVERHEAD;
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

  /** A stream of any kind as a stream of objects. */
  static Stream<Object> boxed(BaseStream<?, ?> stream) {
    return switch (stream) {
      case IntStream ints -> ints.mapToObj(each -> each);
      case LongStream longs -> longs.mapToObj(each -> each);
      case DoubleStream doubles -> doubles.mapToObj(each -> each);
      default -> Step.objects(stream);
    };
  }

  /** Reads the entries of a segment after the cursor, as many as there is room for. */
  @SuppressWarnings("unchecked") // pages are of caches of bytes
  private void readInOrder(int segment) {
    if (pipeline.isRaw() && pipeline.part == EntryPart.ENTRIES) {
      long live = engine.memoryUse(segment).liveBytes();
      page.packed.expect((int) Math.min(live, question.pageBytes()));
    }
    byte[] after = after(segment);
    EntrySpliterator<S, T> entries =
        entries(segment).inOrder(after == null ? null : (S) BinaryKey.of(after));
    ordered = entries;
    take(
        entries,
        element -> {
          add(element);
          if (bytes >= question.pageBytes() || page.count() >= elementsMax) {
            cut(segment);
          }
        });
    ordered = null;
  }
}
