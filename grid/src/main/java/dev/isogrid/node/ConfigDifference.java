package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Says how two configurations of a cache differ. */
final class ConfigDifference {
  private ConfigDifference() {}

  /**
   * What one has and the other has not, as attributes of their documents.
   *
   * @return text that follows in an error; empty if there is no difference
   */
  static String text(CacheConfig present, CacheConfig wanted) {
    List<String> here = attributes(present);
    List<String> asked = attributes(wanted);
    Set<String> onlyHere = new LinkedHashSet<>(here);
    onlyHere.removeAll(asked);
    Set<String> onlyAsked = new LinkedHashSet<>(asked);
    onlyAsked.removeAll(here);
    return onlyHere.isEmpty() && onlyAsked.isEmpty()
        ? ""
        : ", present=%s, wanted=%s".formatted(onlyHere, onlyAsked);
  }

  private static List<String> attributes(CacheConfig config) {
    return Arrays.stream(NodeCluster.document(config).split("[\\s<>/]+"))
        .filter(word -> !word.isEmpty())
        .toList();
  }
}
