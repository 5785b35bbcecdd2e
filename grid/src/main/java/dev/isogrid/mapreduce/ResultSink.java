package dev.isogrid.mapreduce;

import dev.isogrid.api.MapReduceException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Receives the result of a task, partition by partition. For one thread. */
interface ResultSink {
  /** Receives a pair of a partition. */
  void accept(int partition, Object key, Object value);

  /** Notes that a partition has no more pairs. */
  void complete(int partition);

  /** Drops the pairs of a partition so far, since they come again. */
  void restart(int partition);

  /** Hands all pairs over at once. */
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

  /** Keeps all pairs; those of an incomplete partition as a list, each key before its value. */
  record ToMap(Map<Object, Object> result, Map<Integer, List<Object>> unfinished)
      implements ResultSink {
    ToMap() {
      this(new HashMap<>(), new HashMap<>());
    }

    @Override
    public void accept(int partition, Object key, Object value) {
      List<Object> pairs = unfinished.computeIfAbsent(partition, _ -> new ArrayList<>());
      pairs.add(key);
      pairs.add(value);
    }

    @Override
    public void complete(int partition) {
      Iterator<Object> pairs = unfinished.getOrDefault(partition, List.of()).iterator();
      while (pairs.hasNext()) {
        Object key = pairs.next();
        if (result.put(key, pairs.next()) != null) {
          throw new MapReduceException(
              ("keys of a result are equal, but their bytes are not: type=%s; emit keys that are"
                      + " serialised alike if they are equal, and texts that are UTF-8")
                  .formatted(key.getClass().getName()),
              null);
        }
      }
      unfinished.remove(partition);
    }

    @Override
    public void restart(int partition) {
      unfinished.remove(partition);
    }
  }
}
