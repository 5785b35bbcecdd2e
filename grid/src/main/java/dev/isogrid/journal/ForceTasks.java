package dev.isogrid.journal;

import java.util.ArrayList;
import java.util.List;

/**
 * Tasks that wait until records were forced. Guarded by the lock of the journal; the caller runs
 * the returned tasks without the lock.
 */
final class ForceTasks {
  /*
   * Two lists, as there are two conditions for threads that wait: tasks whose records are in the
   * queue, and tasks whose records are being forced. So a force looks at no task that it does not
   * end.
   */

  /**
   * A task.
   *
   * @param tick the tick of the journal at which it came
   */
  private record Waiting(Runnable task, long tick) {}

  private List<Waiting> queued = new ArrayList<>();
  private List<Waiting> taken = new ArrayList<>();

  /** Adds a task for records that are in the queue. */
  void addQueued(Runnable task, long tick) {
    queued.add(new Waiting(task, tick));
  }

  /** Adds a task for records that were taken from the queue. */
  void addTaken(Runnable task, long tick) {
    taken.add(new Waiting(task, tick));
  }

  /** Notes that the queue was taken. */
  void take() {
    if (taken.isEmpty()) {
      List<Waiting> empty = taken;
      taken = queued;
      queued = empty;
    } else {
      taken.addAll(queued);
      queued.clear();
    }
  }

  /** Removes the tasks of all records that were taken. */
  List<Runnable> removeTaken() {
    return remove(taken, Long.MAX_VALUE);
  }

  /** Removes all tasks. */
  List<Runnable> removeAll() {
    return removeUpTo(Long.MAX_VALUE);
  }

  /** Removes the tasks that came at a tick or before. */
  List<Runnable> removeUpTo(long tick) {
    List<Runnable> removed = remove(taken, tick);
    List<Runnable> others = remove(queued, tick);
    if (removed.isEmpty()) {
      return others;
    }
    removed.addAll(others);
    return removed;
  }

  /** Tasks are in the order of their ticks. */
  private static List<Runnable> remove(List<Waiting> from, long tick) {
    if (from.isEmpty() || from.getFirst().tick > tick) {
      return List.of();
    }
    List<Runnable> removed = new ArrayList<>(from.size());
    int count = 0;
    while (count < from.size() && from.get(count).tick <= tick) {
      removed.add(from.get(count).task);
      count++;
    }
    from.subList(0, count).clear();
    return removed;
  }
}
