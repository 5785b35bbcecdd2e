package dev.isogrid.bench.memory;

import java.io.IOException;

/** A process that entries are loaded into. Closing it ends it. Not thread-safe. */
interface MeasuredProcess extends AutoCloseable {
  /** The process's id. */
  long pid();

  /** Whether it is a JVM, which can be told to collect its garbage. */
  boolean isJvm();

  /** Loads every entry once, and waits until that is done. */
  void load(DataSet set) throws IOException;

  /** What it says that its entries take, {@link OwnCount#NONE} if it says nothing. */
  OwnCount ownCount() throws IOException;

  @Override
  void close() throws IOException;
}
