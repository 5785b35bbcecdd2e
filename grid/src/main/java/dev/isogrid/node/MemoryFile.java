package dev.isogrid.node;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.Scheduler;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.Memory;
import dev.isogrid.engine.ClusterMemory;
import dev.isogrid.journal.Disk;
import dev.isogrid.topology.CacheDefinition;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The file in which a node remembers its cluster. Thread-safe. */
final class MemoryFile implements ClusterMemory {
  /*
   * One task writes; what comes meanwhile waits, and only the last of it is written. No periodic
   * task touches the disk: one that is slow would hold up the heartbeats.
   *
   * There is no folder before there is something to remember.
   */
  private static final System.Logger log = System.getLogger(MemoryFile.class.getName());

  /** How often a disk that fails is tried again. */
  private static final long RETRY_MILLIS = 1000;

  /** Opens the folder, and locks it. */
  @FunctionalInterface
  interface Opener {
    Disk open() throws IOException;
  }

  private final Opener opener;
  private final Scheduler scheduler;
  private final Map<CacheDefinition, Boolean> kept = new ConcurrentHashMap<>();

  /** Held while the disk is written to. */
  private final ReentrantLock writing = new ReentrantLock();

  /** Guards what is to be written; held for a few stores. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private @Nullable Memory wanted;

  /** Run when the wanted state is on the disk. Guarded by the lock. */
  private List<Runnable> waiting = new ArrayList<>();

  /** By cache, what waits for the memory to have the cache. Guarded by the lock. */
  private final Map<Integer, Runnable> waitingForCaches = new HashMap<>();

  /** Whether a task is to begin that writes what is wanted. Guarded by the lock. */
  private boolean isWriteQueued;

  /** The state that the disk has. Guarded by the lock. */
  private @Nullable Memory written;

  /** Guarded by the lock. */
  private Scheduler.@Nullable Task retries;

  /** Guarded by the lock. */
  private boolean isClosed;

  /** Guarded by the lock of writing. */
  private @Nullable Disk disk;

  /** Guarded by the lock of writing. */
  private @Nullable MemorySlots slots;

  /** Whether the last attempt failed. Guarded by the lock of writing. */
  private boolean isFailing;

  MemoryFile(Opener opener, Scheduler scheduler) {
    this.opener = opener;
    this.scheduler = scheduler;
  }

  /**
   * Reads what there is. Blocks; to be called before anything is kept, if there is a folder.
   *
   * @throws InvalidRequestException if it can't be read; the message says what to do
   */
  @Nullable Memory read() {
    writing.lock();
    try {
      Disk open = openLocked();
      MemorySlots found = new MemorySlots(open);
      Memory newest = found.read();
      slots = found;
      return newest;
    } catch (MalformedMessageException damage) {
      throw new InvalidRequestException(
          ("memory of the cluster can't be read: file=%s; delete the file to let this node join"
                  + " its cluster without its entries")
              .formatted(damage.getMessage()));
    } catch (IOException | NumberFormatException failure) {
      throw new InvalidRequestException(
          "memory of the cluster can't be read: reason=%s; let one process at a time use the folder"
              .formatted(failure),
          failure);
    } finally {
      writing.unlock();
    }
  }

  private Disk openLocked() throws IOException {
    Disk open = disk;
    if (open == null) {
      open = opener.open();
      disk = open;
    }
    return open;
  }

  @Override
  public boolean isKept(CacheDefinition cache) {
    return kept.computeIfAbsent(cache, each -> AgreedConfig.isKept(each.config()));
  }

  @Override
  public void keep(Memory memory, Runnable whenKept) {
    lock.lock();
    try {
      if (isClosed) {
        return;
      }
      wanted = memory;
      waiting.add(whenKept);
      if (retries == null) {
        retries = scheduler.every(RETRY_MILLIS, this::writeSoon);
      }
    } finally {
      lock.unlock();
    }
    writeSoon();
  }

  /** Writes what is wanted, on a thread that may block. */
  private void writeSoon() {
    lock.lock();
    try {
      if (wanted == null || isWriteQueued) {
        return;
      }
      isWriteQueued = true;
    } finally {
      lock.unlock();
    }
    scheduler.execute(this::write);
  }

  /** Runs a task when the disk has a memory with a cache, which may be now. */
  void whenKept(int cache, Runnable task) {
    boolean isKept;
    lock.lock();
    try {
      Memory known = written;
      isKept = known != null && known.topology().cache(cache) != null;
      if (!isKept) {
        waitingForCaches.put(cache, task);
      }
    } finally {
      lock.unlock();
    }
    if (isKept) {
      scheduler.execute(task);
    }
  }

  private void write() {
    List<Runnable> told = List.of();
    writing.lock();
    try {
      Memory next;
      lock.lock();
      try {
        isWriteQueued = false;
        next = wanted;
        if (next == null) {
          return;
        }
        wanted = null;
        told = waiting;
        waiting = new ArrayList<>();
      } finally {
        lock.unlock();
      }
      if (!tryWrite(next)) {
        giveBack(next, told);
        return;
      }
      told = new ArrayList<>(told);
      told.addAll(written(next));
    } finally {
      writing.unlock();
    }
    told.forEach(Runnable::run);
  }

  private boolean tryWrite(Memory memory) {
    String path = "";
    try {
      Disk open = openLocked();
      path = open.path("");
      MemorySlots known = slots;
      if (known == null) {
        known = new MemorySlots(open);
        slots = known;
      }
      known.write(memory);
      isFailing = false;
      return true;
    } catch (IOException failure) {
      if (!isFailing) {
        log.log(
            Level.ERROR,
            ("memory of the cluster can't be written, so this node takes no part in decisions of"
                    + " the cluster: folder=%s; make room on the disk or mend it")
                .formatted(path),
            failure);
      }
      isFailing = true;
      return false;
    }
  }

  private void giveBack(Memory memory, List<Runnable> told) {
    lock.lock();
    try {
      wanted = wanted == null ? memory : wanted;
      waiting.addAll(told);
    } finally {
      lock.unlock();
    }
  }

  private List<Runnable> written(Memory memory) {
    List<Runnable> tasks = new ArrayList<>();
    lock.lock();
    try {
      written = memory;
      memory
          .topology()
          .caches()
          .forEach(cache -> {
            Runnable task = waitingForCaches.remove(cache.id());
            if (task != null) {
              tasks.add(() -> scheduler.execute(task));
            }
          });
    } finally {
      lock.unlock();
    }
    return tasks;
  }

  /** Writes what is left, and lets other processes use the folder. Blocks. */
  void close() {
    write();
    lock.lock();
    try {
      isClosed = true;
      if (retries != null) {
        retries.close();
      }
    } finally {
      lock.unlock();
    }
    writing.lock();
    try {
      if (disk != null) {
        disk.close();
      }
    } catch (IOException failure) {
      log.log(Level.WARNING, "the folder of the cluster's memory can't be unlocked", failure);
    } finally {
      writing.unlock();
    }
  }
}
