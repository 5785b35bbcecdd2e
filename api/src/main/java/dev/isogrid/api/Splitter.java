package dev.isogrid.api;

import java.io.Serializable;
import java.util.List;

/**
 * Cuts large values for a {@link Mapper}. Must keep no state.
 *
 * @param <V> the cache's values
 */
@FunctionalInterface
public interface Splitter<V> extends Serializable {
  /**
   * Cuts a value; see {@link Mapper#split}.
   *
   * @param value not to be changed
   * @param partsMax 2 or more
   * @return 1 to {@code partsMax} parts, none of them null; a list of the value alone if it is not
   *     to be cut
   */
  List<V> split(V value, int partsMax);
}
