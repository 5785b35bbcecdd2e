package dev.isogrid.bench.memory;

import dev.isogrid.bench.process.MappedMemory;
import dev.isogrid.bench.process.ProcessFacts.Heap;

/**
 * The memory of a process at a moment.
 *
 * @param all the count of the operating system
 * @param heap the heap, of a JVM
 * @param mappedHeap the part of {@code all} that is the JVM's heap, whether objects are in it or
 *     not
 * @param own the process's own count
 */
record Reading(MappedMemory all, Heap heap, MappedMemory mappedHeap, OwnCount own) {
  /**
   * The memory that the process needs: the proportional set, but of the heap only the bytes in use.
   * After a load, a JVM keeps a random amount of free heap, which is not the entries' memory.
   */
  long processBytes() {
    return all.proportionalBytes() - mappedHeap.proportionalBytes() + heap.usedBytes();
  }
}
