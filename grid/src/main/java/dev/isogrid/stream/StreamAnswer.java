package dev.isogrid.stream;

import dev.isogrid.store.PackedEntries;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a node says about some segments. For one thread. */
final class StreamAnswer {
  /** The segments that are answered to their end. */
  final BitSet done = new BitSet();

  /** The segments that this node does not answer for. */
  final BitSet refused = new BitSet();

  /** Of the segment that is answered up to {@link #cursor}; -1 if there is none. */
  int cursorSegment = -1;

  /** The last key that was looked at there. */
  byte @Nullable [] cursor;

  /** The entries, of a page of a stream that has no steps. */
  PackedEntries packed = new PackedEntries();

  /** The elements, of another page. */
  final List<@Nullable Object> elements = new ArrayList<>();

  /** The result of the segments that are done, of a terminal. */
  @Nullable Object result;

  /** Whether there is a result. */
  boolean hasResult;

  /** The number of elements. */
  int count() {
    return elements.size() + packed.count();
  }

  /** Takes the result of a part in. */
  void add(@Nullable Object partial, Terminal terminal) {
    result = hasResult ? terminal.merge(result, partial) : partial;
    hasResult = true;
  }

  /** Takes another node's or thread's answer in. */
  void add(StreamAnswer other, Terminal terminal) {
    done.or(other.done);
    refused.or(other.refused);
    if (other.hasResult) {
      add(other.result, terminal);
    }
  }
}
