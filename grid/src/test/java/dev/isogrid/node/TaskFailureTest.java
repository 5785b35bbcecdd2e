package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.ClusterExecutor;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Grid;
import dev.isogrid.api.InvalidRequestException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Futures of tasks whose outcome can't be taken in the usual way: they end all the same. */
class TaskFailureTest {
  private static final long DEADLINE_SECONDS = 30;

  /** A result that the caller's node can't read. */
  private static final class Unreadable implements Serializable {
    private static final long serialVersionUID = 1;

    @Serial
    private void readObject(ObjectInputStream in) {
      throw new NoClassDefFoundError("on purpose");
    }
  }

  private static <E extends Throwable> E failure(Class<E> type, CompletableFuture<?> future) {
    return assertInstanceOf(
        type,
        assertThrows(ExecutionException.class, () -> future.get(DEADLINE_SECONDS, TimeUnit.SECONDS))
            .getCause());
  }

  @Test
  void task_afterWhichNoOtherNodeCanBeLookedFor_failsWithItsOwnFailure() {
    try (Grid grid = Grid.start()) {
      Cache<String, String> cache = grid.cache("c");
      cache.put("k", "v");
      CompletableFuture<?> future =
          grid.executor()
              .onPrimaryOf("c", "k")
              .<Object>submit(node -> {
                node.removeCache("c");
                throw new UnsupportedOperationException("on purpose");
              });
      UnsupportedOperationException told = failure(UnsupportedOperationException.class, future);
      assertTrue(
          Arrays.stream(told.getSuppressed()).anyMatch(InvalidRequestException.class::isInstance));
    }
  }

  @Test
  void task_whoseOtherNodesCannotBeChosen_failsWithItsOwnFailure() {
    try (Grid grid = Grid.start()) {
      AtomicInteger calls = new AtomicInteger();
      ClusterExecutor chosen =
          grid.executor()
              .onNodesThat(_ -> {
                if (calls.getAndIncrement() > 0) {
                  throw new IllegalArgumentException("on purpose");
                }
                return true;
              })
              .onOneNode(1);
      CompletableFuture<?> future =
          chosen.<Object>submit(_ -> {
            throw new UnsupportedOperationException("on purpose");
          });
      UnsupportedOperationException told = failure(UnsupportedOperationException.class, future);
      assertTrue(
          Arrays.stream(told.getSuppressed()).anyMatch(IllegalArgumentException.class::isInstance));
    }
  }

  @Test
  void result_thatCannotBeRead_isAFailure() {
    try (Grid grid = Grid.start()) {
      InvalidRequestException told =
          failure(InvalidRequestException.class, grid.executor().submit(_ -> new Unreadable()));
      assertTrue(String.valueOf(told.getMessage()).contains("NoClassDefFoundError"));
    }
  }

  @Test
  void task_ofAClosedGrid_fails() {
    ClusterExecutor executor;
    try (Grid grid = Grid.start()) {
      executor = grid.executor();
    }
    FatalGridException told = failure(FatalGridException.class, executor.submit(_ -> 7));
    assertEquals("grid closed; start a new one", told.getMessage());
  }
}
