package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.node.Node;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task that begins while its grid is being closed. */
@Timeout(60)
class ClosingJobTest {
  /** Refuses periodic tasks from some moment on, as if it had been closed. */
  private static final class EndingScheduler implements Scheduler {
    private final Scheduler inner = Env.system().scheduler();
    private volatile boolean isEnding;

    @Override
    public Task every(long periodMillis, Runnable task) {
      if (isEnding) {
        throw new RejectedExecutionException("closed");
      }
      return inner.every(periodMillis, task);
    }

    @Override
    public void execute(Runnable task) {
      inner.execute(task);
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  @Test
  void result_ofATaskThatBeginsTooLate_failsInsteadOfWaiting() {
    EndingScheduler scheduler = new EndingScheduler();
    Env system = Env.system();
    Env env = new Env(system.nanoClock(), system.epochClock(), system.random(), scheduler);
    try (Node node = Node.start(GridConfig.builder().nodeName("n").build(), env)) {
      Cache<Integer, String> cache = node.createCache("c", CacheConfig.builder().build());
      cache.put(1, "a b");
      scheduler.isEnding = true;
      MapReduceJob<String, Long> job =
          node.mapReduce(cache).mappedWith(WordCount.WORDS).combinedWith(Long::sum).start();
      FatalGridException failure = assertThrows(FatalGridException.class, job::result);
      assertEquals("grid closed: node=n; start a new one", failure.getMessage());
    } finally {
      system.scheduler().close();
    }
  }
}
