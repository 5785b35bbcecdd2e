package dev.isogrid.bench.client;

import java.util.List;

/**
 * The work of one client in one load.
 *
 * @param done operations that succeeded
 * @param failed operations that failed
 * @param nanos the duration
 * @param processorNanos the processor time of the whole process
 * @param allocatedBytes the bytes of all objects that its threads made
 * @param connections to servers, at the end
 * @param heapBytes the heap in use at the end, garbage included
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

  /** The sum over clients that worked at the same time; of connections, the most of one client. */
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

  /** Succeeded operations per second. */
  double rate() {
    return done * 1e9 / nanos;
  }

  /** Microseconds of processor time per operation. */
  double processorMicros() {
    return processorNanos / 1e3 / done;
  }

  /** Bytes of objects per operation. */
  double bytes() {
    return (double) allocatedBytes / done;
  }

  /** Megabytes of objects per second. */
  double megabytesPerSecond() {
    return allocatedBytes * 1e3 / nanos;
  }
}
