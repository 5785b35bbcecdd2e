package dev.isogrid.server.security;

import dev.isogrid.base.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Checks every second whether files have changed, and if so runs an action. A change between {@link
 * #start} and the first check is noticed. So contents read after the start are never out of date
 * for longer.
 */
final class FileWatch implements AutoCloseable {
  /** Long enough to cost nothing, short enough for administrators. */
  static final long PERIOD_MILLIS = 1000;

  /**
   * The state that distinguishes versions of a file; without a state if the file does not exist.
   */
  private record Stamp(Path file, String state) {
    static Stamp of(Path file) {
      try {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(
            file, found.lastModifiedTime() + " " + found.size() + " " + found.fileKey());
      } catch (IOException missing) {
        return new Stamp(file, "not there: " + missing.getClass().getSimpleName());
      }
    }
  }

  private final List<Path> files;
  private final Runnable changed;
  private final AtomicBoolean looking = new AtomicBoolean();

  /** Guarded by {@link #looking}. */
  private List<Stamp> stamps;

  private final Scheduler.Task task;

  private FileWatch(List<Path> files, Scheduler scheduler, Runnable changed) {
    this.files = List.copyOf(files);
    this.changed = changed;
    this.stamps = stamps();
    this.task = scheduler.every(PERIOD_MILLIS, () -> lookAside(scheduler));
  }

  /**
   * Begins to watch.
   *
   * @param scheduler triggers the checks, and runs the action on a thread that may block
   * @param changed never run by two threads at once
   */
  static FileWatch start(List<Path> files, Scheduler scheduler, Runnable changed) {
    return new FileWatch(files, scheduler, changed);
  }

  private List<Stamp> stamps() {
    List<Stamp> found = new ArrayList<>();
    files.forEach(file -> found.add(Stamp.of(file)));
    return found;
  }

  private void lookAside(Scheduler scheduler) {
    if (!looking.compareAndSet(false, true)) {
      return; // the last look takes its time
    }
    try {
      scheduler.execute(() -> {
        try {
          look();
        } finally {
          looking.set(false);
        }
      });
    } catch (RejectedExecutionException _) {
      looking.set(false); // the server stops
    }
  }

  private void look() {
    List<Stamp> now = stamps();
    if (!now.equals(stamps)) {
      stamps = now;
      changed.run();
    }
  }

  @Override
  public void close() {
    task.close();
  }
}
