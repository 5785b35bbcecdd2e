package dev.isogrid.bench.memory;

import java.io.IOException;

/** A process with entries to be measured. Closing it ends it. Not thread-safe. */
interface MeasuredProcess extends AutoCloseable {
  /** The process's id. */
  long pid();

  /** Whether it is a JVM, which can be told to collect its garbage. */
  boolean isJvm();

  /** Loads every entry once, and waits for the end. */
  void load(DataSet set) throws IOException;

  /** The size of its entries by its own count, {@link OwnCount#NONE} if it has none. */
  OwnCount ownCount() throws IOException;

  @Override
  void close() throws IOException;
}
