package dev.isogrid.engine;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The latest of the large answers that this node gave as a primary, for operations that are sent
 * again. No other replica has them. Not thread-safe.
 */
final class LargeAnswers {
  private record Kept(long seq, Object answer) {}

  private final SequencedMap<OperationId, Kept> kept = new LinkedHashMap<>();
  private final long bytesMax;
  private long bytes;

  /**
   * None yet.
   *
   * @param bytesMax what they may take together, but for the last one, which may be larger alone
   */
  LargeAnswers(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Keeps an answer; the oldest ones are forgotten for it. */
  void keep(OperationId id, long seq, Object answer) {
    forget(kept.remove(id));
    bytes += Sized.of(answer);
    while (bytes > bytesMax && !kept.isEmpty()) {
      forget(kept.pollFirstEntry().getValue());
    }
    kept.put(id, new Kept(seq, answer));
  }

  private void forget(@Nullable Kept one) {
    bytes -= one == null ? 0 : Sized.of(one.answer);
  }

  /** Returns the answer that a record is of; a stand-in if that is all there is of it. */
  @Nullable Object answer(OperationId id, DedupTable.Done done) {
    if (!(done.result() instanceof OmittedAnswer omitted)) {
      return done.result();
    }
    Kept one = kept.get(id);
    return one == null || one.seq != done.seq() ? omitted : one.answer;
  }

  /** Forgets the answers to some operations. */
  void forget(Predicate<OperationId> isOver) {
    kept.entrySet()
        .removeIf(each -> {
          boolean isForgotten = isOver.test(each.getKey());
          if (isForgotten) {
            forget(each.getValue());
          }
          return isForgotten;
        });
  }

  /** Returns about what they take. */
  long bytes() {
    return bytes;
  }
}
