package dev.isogrid.testkit;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs tasks side by side that mostly wait, such as the ends of the nodes of a cluster. */
public final class AtOnce {
  private AtOnce() {}

  /**
   * Runs each task in a thread of its own, and returns when all have ended.
   *
   * @throws java.util.concurrent.CompletionException if one of them failed, with its failure
   */
  public static void run(List<? extends Runnable> tasks) {
    CompletableFuture.allOf(
            tasks.stream()
                .map(task ->
                    CompletableFuture.runAsync(task, body -> Thread.ofVirtual().start(body)))
                .toArray(CompletableFuture<?>[]::new))
        .join();
  }
}
