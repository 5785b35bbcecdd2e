package dev.isogrid.engine;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The large answers to writes that a primary has not applied yet. Its log has stand-ins for them.
 * Not thread-safe.
 */
final class PendingAnswers {
  private record Pending(OperationId id, Object answer) {}

  private final TreeMap<Long, Pending> bySeq = new TreeMap<>();
  private final LargeAnswers kept;
  private final int wholeMax;
  private long bytes;

  /**
   * None yet.
   *
   * @param kept gets the answers when they are given
   * @param wholeMax the bytes of the largest answer that replicas keep
   */
  PendingAnswers(LargeAnswers kept, int wholeMax) {
    this.kept = kept;
    this.wholeMax = wholeMax;
  }

  /** Returns what replicas keep of the answer to a write, and keeps the rest here. */
  @Nullable Object recorded(OperationId id, long seq, @Nullable Object answer) {
    if (answer == null || Sized.of(answer) <= wholeMax) {
      return answer;
    }
    bySeq.put(seq, new Pending(id, answer));
    bytes += Sized.of(answer);
    return OmittedAnswer.of(answer);
  }

  /** The writes up to a place were applied, so their answers may be given. */
  void applied(long seq) {
    while (!bySeq.isEmpty() && bySeq.firstKey() <= seq) {
      Map.Entry<Long, Pending> first = bySeq.pollFirstEntry();
      Pending next = first.getValue();
      bytes -= Sized.of(next.answer);
      kept.keep(next.id, first.getKey(), next.answer);
    }
  }

  void clear() {
    bySeq.clear();
    bytes = 0;
  }

  /** Returns about what they take. */
  long bytes() {
    return bytes;
  }
}
