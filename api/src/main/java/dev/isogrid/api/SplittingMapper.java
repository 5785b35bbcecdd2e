package dev.isogrid.api;

import java.util.List;
import java.util.Objects;

/** A mapper and a splitter that make one; see {@link Mapper#splitting}. */
record SplittingMapper<K, V, A, B>(Mapper<K, V, A, B> mapper, Splitter<V> splitter)
    implements Mapper<K, V, A, B> {
  SplittingMapper {
    Objects.requireNonNull(mapper);
    Objects.requireNonNull(splitter);
  }

  @Override
  public void map(K key, V value, Collector<A, B> out) throws Exception {
    mapper.map(key, value, out);
  }

  @Override
  public List<V> split(V value, int partsMax) {
    return splitter.split(value, partsMax);
  }
}
