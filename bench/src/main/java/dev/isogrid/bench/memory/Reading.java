package dev.isogrid.bench.memory;

import dev.isogrid.bench.process.MappedMemory;
import dev.isogrid.bench.process.ProcessFacts.Heap;

/**
 * The memory of a process at a moment.
 *
 * @param all what the operating system counts
 * @param heap the heap, of a JVM
 * @param mappedHeap the part of {@code all} that is the JVM's heap, whether objects are in it or
 *     not
 * @param own what the process itself counts
 */
record Reading(MappedMemory all, Heap heap, MappedMemory mappedHeap, OwnCount own) {
  /**
   * What the process needs: the proportional set, but of the heap only the bytes in use. A JVM
   * keeps free heap after a load, more or less of it by chance; that is not the entries' memory.
   */
  long processBytes() {
    return all.proportionalBytes() - mappedHeap.proportionalBytes() + heap.usedBytes();
  }
}
