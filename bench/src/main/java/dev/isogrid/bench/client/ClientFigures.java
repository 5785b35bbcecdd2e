package dev.isogrid.bench.client;

import java.util.List;

/**
 * What one client did in one load.
 *
 * @param done operations that succeeded
 * @param failed operations that failed
 * @param nanos the time that it took
 * @param processorNanos the processor time of the whole process
 * @param allocatedBytes of objects that all its threads made
 * @param connections to servers, at the end
 * @param heapBytes the heap in use at the end, with what is to be collected
 */
record ClientFigures(
    long done,
    long failed,
    long nanos,
    long processorNanos,
    long allocatedBytes,
    long connections,
    long heapBytes) {
  /** Reads the numbers of an answer, in the order of the fields. */
  static ClientFigures of(long... answer) {
    return new ClientFigures(
        answer[0], answer[1], answer[2], answer[3], answer[4], answer[5], answer[6]);
  }

  /** What several clients did at the same time; of connections, the most that one has. */
  static ClientFigures sum(List<ClientFigures> all) {
    return new ClientFigures(
        all.stream().mapToLong(ClientFigures::done).sum(),
        all.stream().mapToLong(ClientFigures::failed).sum(),
        all.stream().mapToLong(ClientFigures::nanos).max().orElse(0),
        all.stream().mapToLong(ClientFigures::processorNanos).sum(),
        all.stream().mapToLong(ClientFigures::allocatedBytes).sum(),
        all.stream().mapToLong(ClientFigures::connections).max().orElse(0),
        all.stream().mapToLong(ClientFigures::heapBytes).max().orElse(0));
  }

  /** Operations that succeeded a second. */
  double rate() {
    return done * 1e9 / nanos;
  }

  /** Microseconds of processor time for each operation. */
  double processorMicros() {
    return processorNanos / 1e3 / done;
  }

  /** Bytes of objects for each operation. */
  double bytes() {
    return (double) allocatedBytes / done;
  }

  /** Megabytes of objects a second. */
  double megabytesPerSecond() {
    return allocatedBytes * 1e3 / nanos;
  }
}
