package dev.isogrid.engine;

import dev.isogrid.api.GridException;
import dev.isogrid.base.Scheduler;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

/**
 * Removes expired entries that reads of a clustered cache came upon, so that listeners hear of them
 * at once. A read itself can't: the removal is a write, for which it would have to wait.
 * Thread-safe.
 */
final class FoundExpired {
  /** Entries that wait for their removal, about 100 kB; beyond that the reaper finds them. */
  private static final int WAITING_MAX = 1000;

  private final Scheduler scheduler;

  /** The entries whose removal is under way, so that each is removed once however many reads. */
  private final Set<EntryKey> waiting = ConcurrentHashMap.newKeySet();

  /** Creates it without entries; {@code scheduler} runs the removals. */
  FoundExpired(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * A read came upon an expired entry. Does not block.
   *
   * @param removal begins the removal, and has the task that it gets run when that is over
   */
  void add(EntryKey key, BiConsumer<EntryKey, Runnable> removal) {
    if (waiting.size() >= WAITING_MAX || !waiting.add(key)) {
      return;
    }
    try {
      scheduler.execute(() -> remove(key, removal));
    } catch (RejectedExecutionException closing) {
      waiting.remove(key); // the node ends, and its entries with it
    }
  }

  private void remove(EntryKey key, BiConsumer<EntryKey, Runnable> removal) {
    try {
      removal.accept(key, () -> waiting.remove(key));
    } catch (GridException notNow) { // the node is busy or closes: the reaper or nobody does it
      waiting.remove(key);
    }
  }
}
