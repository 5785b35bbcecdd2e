package dev.isogrid.mapreduce;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** Takes the result of a task, partition by partition. For one thread. */
interface ResultSink {
  /** A pair of a partition. */
  void accept(int partition, Object key, Object value);

  /** There are no more pairs of a partition. */
  void complete(int partition);

  /** What came of a partition does not count, since it comes again. */
  void restart(int partition);

  /** Hands all pairs over as they come. */
  record ToConsumer(BiConsumer<Object, Object> action) implements ResultSink {
    @Override
    public void accept(int partition, Object key, Object value) {
      action.accept(key, value);
    }

    @Override
    public void complete(int partition) {}

    @Override
    public void restart(int partition) {}
  }

  /** Keeps all pairs. */
  record ToMap(Map<Object, Object> result, Map<Integer, Map<Object, Object>> unfinished)
      implements ResultSink {
    ToMap() {
      this(new HashMap<>(), new HashMap<>());
    }

    @Override
    public void accept(int partition, Object key, Object value) {
      unfinished.computeIfAbsent(partition, _ -> new HashMap<>()).put(key, value);
    }

    @Override
    public void complete(int partition) {
      Map<Object, Object> pairs = unfinished.remove(partition);
      if (pairs != null) {
        result.putAll(pairs);
      }
    }

    @Override
    public void restart(int partition) {
      unfinished.remove(partition);
    }
  }
}
