package dev.isogrid.stream;

import dev.isogrid.store.EntryView;
import dev.isogrid.store.PackedEntries;
import dev.isogrid.store.SegmentSnapshot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node's answer about some segments. For one thread. */
final class StreamAnswer {
  /** The segments that are completely answered. */
  final BitSet done = new BitSet();

  /** The segments that this node does not own. */
  final BitSet refused = new BitSet();

  /** The segment that is answered up to {@link #cursor}; -1 if there is none. */
  int cursorSegment = -1;

  /** The last visited key there. */
  byte @Nullable [] cursor;

  /** The entries of a page of a stream without steps. */
  PackedEntries packed = new PackedEntries();

  /** Entries of this node that need no copy, in place of those of a page; null for a page. */
  @Nullable SegmentSnapshot<?, ?> entries;

  /** The elements of another page. */
  final List<@Nullable Object> elements = new ArrayList<>();

  /** The result of a terminal over the finished segments. */
  @Nullable Object result;

  /** Whether there is a result. */
  boolean hasResult;

  /** Moves a window of the cache to the next entry; returns false if there are no more. */
  @SuppressWarnings("unchecked") // the entries are of the cache
  <S, T> boolean next(EntryView<S, T> window) {
    SegmentSnapshot<S, T> here = (SegmentSnapshot<S, T>) entries;
    return here == null ? packed.next(window) : here.next(window);
  }

  /** Whether {@link #next} showed all entries. */
  boolean isAtEnd() {
    return entries == null ? packed.isAtEnd() : entries.remaining() == 0;
  }

  /** The number of elements of a page. */
  int count() {
    return elements.size() + packed.count();
  }

  /** Merges the result of a part. */
  void add(@Nullable Object partial, Terminal terminal) {
    result = hasResult ? terminal.merge(result, partial) : partial;
    hasResult = true;
  }

  /** Merges another node's or thread's answer. */
  void add(StreamAnswer other, Terminal terminal) {
    done.or(other.done);
    refused.or(other.refused);
    if (other.hasResult) {
      add(other.result, terminal);
    }
  }
}
