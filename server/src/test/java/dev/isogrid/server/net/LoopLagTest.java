package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopLagTest {
  private final Queue<Runnable> first = new ArrayDeque<>();
  private final Queue<Runnable> second = new ArrayDeque<>();
  private final List<Executor> loops = List.of(first::add, second::add);
  private long nowNanos;
  private final LoopLag lag = new LoopLag(loops, () -> nowNanos);

  private void pass(int millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void takeSeconds_isTheLongestWaitSinceTheLastTime() {
    pass(1);
    lag.probe();
    first.remove().run();
    pass(30);
    second.remove().run();
    lag.probe();
    first.remove().run();
    second.remove().run();
    assertEquals(0.03, lag.takeSeconds());
    assertEquals(0, lag.takeSeconds());
  }

  @Test
  void takeSeconds_whileALoopIsBlocked_grows() {
    pass(1);
    lag.probe();
    first.remove().run();
    pass(2000);
    lag.probe();
    assertEquals(0, first.size(), "one measurement at a time");
    assertEquals(2, lag.takeSeconds());
    pass(1000);
    assertEquals(3, lag.takeSeconds());
    second.remove().run();
    assertEquals(3, lag.takeSeconds());
    assertEquals(0, lag.takeSeconds());
  }
}
