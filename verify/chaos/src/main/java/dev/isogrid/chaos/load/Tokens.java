package dev.isogrid.chaos.load;

import dev.isogrid.chaos.history.Operation;
import dev.isogrid.chaos.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Puts a token, then lets several clients remove it at once: exactly one of them may get it. One
 * thread writes the counts; they are read when it has ended.
 */
public final class Tokens {
  /** The prefix of the keys. */
  static final String PREFIX = "t/";

  private static final int RACERS = 6;

  /** Many times the client's own limit. */
  private static final long END_SECONDS_MAX = 60;

  private final List<RecordedCache> racers;
  private final AtomicLong lastValue;
  private long rounds;
  private long undecided;
  private long wonOnce;
  private long wonTwice;
  private long wonByNobody;

  Tokens(List<RecordedCache> caches, AtomicLong lastValue) {
    this.racers = List.copyOf(caches.subList(0, Math.min(RACERS, caches.size())));
    this.lastValue = lastValue;
  }

  /** Plays one round. */
  void step() {
    String key = PREFIX + rounds;
    int first = (int) (rounds++ % racers.size());
    if (racers.get(first).put(key, lastValue.incrementAndGet()).outcome() != Outcome.DONE) {
      undecided++;
      return;
    }
    List<CompletableFuture<Operation>> removes = new ArrayList<>();
    racers.forEach(racer -> removes.add(racer.removeAsync(key)));
    int winners = 0;
    boolean allKnown = true;
    for (CompletableFuture<Operation> remove : removes) {
      Operation operation = await(remove);
      allKnown &= operation.outcome() == Outcome.DONE;
      winners += operation.outcome() == Outcome.DONE && operation.result() != 0 ? 1 : 0;
    }
    if (winners > 1) {
      wonTwice++;
    } else if (winners == 1) {
      wonOnce++;
    } else if (allKnown) {
      wonByNobody++;
    } else {
      undecided++;
    }
  }

  private static Operation await(CompletableFuture<Operation> remove) {
    try {
      return remove.get(END_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException failure) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while tokens are removed", failure);
    } catch (ExecutionException | TimeoutException failure) {
      // The history would lack an operation.
      throw new IllegalStateException(
          "the client did not end an operation in " + END_SECONDS_MAX + " s", failure);
    }
  }

  /** The counts of the rounds. */
  Tally tally() {
    return new Tally(rounds, wonOnce, wonTwice, wonByNobody, undecided);
  }

  /**
   * Counts of rounds.
   *
   * @param rounds all of them
   * @param wonOnce exactly one client got the token
   * @param wonTwice several clients got the token: a violation
   * @param wonByNobody no client got the token: a violation
   * @param undecided an outcome is unknown
   */
  public record Tally(long rounds, long wonOnce, long wonTwice, long wonByNobody, long undecided) {}
}
