package dev.isogrid.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The selection of an iteration.
 *
 * @param factory the name of the servers' filter and converter, or null for none
 * @param parameters for the filter, as bytes
 * @param segments the wanted ones, or null for all
 * @param batchEntries how many entries are fetched at once, 1 or more
 * @param hasMetadata whether versions and times are wanted
 */
record IterationQuery(
    @Nullable String factory,
    List<byte[]> parameters,
    @Nullable Set<Integer> segments,
    int batchEntries,
    boolean hasMetadata) {
  /** Servers take one byte for the number. */
  private static final int PARAMETERS_MAX = 255;

  IterationQuery {
    parameters = List.copyOf(parameters);
    segments = segments == null ? null : Set.copyOf(segments);
    if (batchEntries < 1) {
      throw new IllegalArgumentException(
          "invalid batch size: batchSize=%d; 1 or more".formatted(batchEntries));
    }
    if (parameters.size() > PARAMETERS_MAX) {
      throw new IllegalArgumentException(
          "too many parameters: count=%d, max=%d".formatted(parameters.size(), PARAMETERS_MAX));
    }
  }

  /** The same for other segments. */
  IterationQuery ofSegments(Set<Integer> others) {
    return new IterationQuery(factory, parameters, others, batchEntries, hasMetadata);
  }

  /** The same with versions and times. */
  IterationQuery withMetadata() {
    return new IterationQuery(factory, parameters, segments, batchEntries, true);
  }

  /** Objects as bytes of a format. */
  static List<byte[]> marshalled(Object @Nullable [] parameters, ObjectFormat format) {
    List<byte[]> all = new ArrayList<>();
    if (parameters != null) {
      for (Object parameter : parameters) {
        all.add(format.keyBytes(parameter));
      }
    }
    return all;
  }
}
