package dev.isogrid.verify.lincheck;

import dev.isogrid.api.CounterBoundException;
import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StrongCounter;
import dev.isogrid.base.Env;
import dev.isogrid.node.Node;
import java.util.SplittableRandom;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** The operations of a bounded counter, for Lincheck to run in all orders. */
@Param(name = "delta", gen = IntGen.class, conf = "-2:2")
@Param(name = "value", gen = IntGen.class, conf = "-1:4")
public class CounterOperations {
  static final CounterConfig CONFIG = CounterConfig.boundedStrong(1, 0, 3);

  /** The answer of an operation that met a bound. */
  static final long UPPER = 100;

  static final long LOWER = -100;

  private static final Node NODE = startNode();

  private final StrongCounter counter;

  /** For Lincheck. */
  public CounterOperations() {
    NODE.counters().undefine("c");
    NODE.counters().define("c", CONFIG);
    counter = NODE.counters().strong("c");
  }

  private static Node startNode() {
    Env env = new Env(() -> 0, () -> 0, new SplittableRandom(1), new NoScheduler());
    return Node.start(GridConfig.builder().nodeName("n").build(), env);
  }

  /** A number that an operation answers. */
  private interface Answer {
    long get();
  }

  private static long answer(Answer operation) {
    try {
      return operation.get();
    } catch (CounterBoundException bound) {
      return bound.isUpper() ? UPPER : LOWER;
    }
  }

  @Operation
  public long value() {
    return counter.value();
  }

  @Operation(params = "delta")
  public long add(int delta) {
    return answer(() -> counter.addAndGet(delta));
  }

  @Operation(params = {"value", "value"})
  public long compareAndSwap(int expect, int update) {
    return answer(() -> counter.compareAndSwap(expect, update));
  }

  @Operation(params = "value")
  public long getAndSet(int value) {
    return answer(() -> counter.getAndSet(value));
  }

  @Operation
  public void reset() {
    counter.reset();
  }
}
