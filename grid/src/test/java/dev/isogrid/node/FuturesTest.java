package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.FakeEnv;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FuturesTest {
  private final FakeEnv env = new FakeEnv();
  private final Futures futures = new Futures(env.env().scheduler(), true);

  private CompletableFuture<Integer> one() {
    return futures.ofBounded("c", () -> 1);
  }

  @Test
  void ofBounded_beyondTheBound_failsUntilSomeAreDone() {
    for (int i = 0; i < Futures.BOUND; i++) {
      CompletableFuture<Integer> _ = one();
    }
    assertInstanceOf(RetryableGridException.class, one().exceptionNow());
    env.runTasks();
    CompletableFuture<Integer> next = one();
    env.runTasks();
    assertEquals(1, next.join());
  }

  @Test
  void ofBounded_afterTheSchedulerClosed_saysSoEachTime() {
    env.env().scheduler().close();
    for (int i = 0; i <= Futures.BOUND; i++) {
      assertInstanceOf(FatalGridException.class, one().exceptionNow());
    }
  }
}
