package dev.isogrid.bench.memory;

import dev.isogrid.bench.process.MappedMemory;
import dev.isogrid.bench.process.ProcessFacts;
import dev.isogrid.bench.process.ProcessFacts.Heap;
import dev.isogrid.bench.run.RealTime;
import java.io.IOException;

/** Reads the memory of a process once it is stable. */
final class Settling {
  /** A smaller change counts as none: the limit of the published procedure. */
  private static final long CHANGE_BYTES_MAX = 100_000;

  /**
   * The readings before giving up. A peer that moves a large table in the background needs a few
   * seconds; a process that never comes to rest can't be measured.
   */
  private static final int READINGS_MAX = 60;

  /** Between two readings: long enough for background work to show. */
  private static final long PAUSE_MILLIS = 500;

  private Settling() {}

  /**
   * Collects garbage, if the process is a JVM, until a collection changes the used heap by less
   * than 100 kB. Then waits likewise for the rest of the memory, and reads all.
   */
  static Reading read(MeasuredProcess process) throws IOException, InterruptedException {
    Reading last = readOnce(process);
    for (int i = 1; i < READINGS_MAX; i++) {
      RealTime.pause(PAUSE_MILLIS);
      Reading next = readOnce(process);
      long heapChange = next.heap().usedBytes() - last.heap().usedBytes();
      long otherChange = otherBytes(next) - otherBytes(last);
      if (Math.abs(heapChange) < CHANGE_BYTES_MAX && Math.abs(otherChange) < CHANGE_BYTES_MAX) {
        return next;
      }
      last = next;
    }
    throw new IOException(
        "memory does not come to rest: pid=%d, readings=%d, last=%s"
            .formatted(process.pid(), READINGS_MAX, last));
  }

  private static long otherBytes(Reading reading) {
    return reading.all().proportionalBytes() - reading.mappedHeap().proportionalBytes();
  }

  private static Reading readOnce(MeasuredProcess process)
      throws IOException, InterruptedException {
    ProcessFacts facts = new ProcessFacts(process.pid());
    OwnCount own = process.ownCount();
    Heap heap = process.isJvm() ? facts.liveHeap() : Heap.NONE;
    MappedMemory mappedHeap =
        process.isJvm() ? facts.memory(heap.start(), heap.end()) : MappedMemory.NONE;
    return new Reading(facts.memory(), heap, mappedHeap, own);
  }
}
