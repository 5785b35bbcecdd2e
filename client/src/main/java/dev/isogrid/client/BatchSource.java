package dev.isogrid.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Entries batch by batch. */
interface BatchSource {
  /** The next entries; none if there are no more. Not to be called before the last has ended. */
  CompletableFuture<List<IterationOperation.Row>> next();

  /** Ends it. Any thread, several times; a batch that is being fetched may be lost. */
  void close();
}
