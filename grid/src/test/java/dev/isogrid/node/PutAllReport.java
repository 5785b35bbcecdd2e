package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.GridException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The figures in the message of a bulk write that failed.
 *
 * @param done the entries that were stored
 * @param failed the entries that were not stored, or perhaps
 * @param notBegun the entries whose writing did not begin
 * @param named the segments of failed entries, a few of them
 * @param unnamed how many more segments there are
 */
record PutAllReport(int done, int failed, int notBegun, Set<Integer> named, int unnamed) {
  private static final Pattern FIGURES =
      Pattern.compile(
          " (\\d+) were done, (\\d+) were not or perhaps, (\\d+) not begun"
              + ": segments=\\[([0-9, ]*)](?: and (\\d+) more)?");

  static PutAllReport of(GridException failure) {
    String message = String.valueOf(failure.getMessage());
    Matcher figures = FIGURES.matcher(message);
    assertTrue(figures.find(), message);
    Set<Integer> named =
        Arrays.stream(figures.group(4).split(", ", -1))
            .filter(number -> !number.isEmpty())
            .map(Integer::valueOf)
            .collect(Collectors.toCollection(TreeSet::new));
    return new PutAllReport(
        Integer.parseInt(figures.group(1)),
        Integer.parseInt(figures.group(2)),
        Integer.parseInt(figures.group(3)),
        named,
        Integer.parseInt(Objects.requireNonNullElse(figures.group(5), "0")));
  }

  /**
   * Compares the figures with what is in the cache.
   *
   * @param segments the keys of the write by their segments
   * @param isStored whether a key has the value of the write
   */
  <K> void check(Map<Integer, List<K>> segments, Predicate<K> isStored) {
    int keys = segments.values().stream().mapToInt(List::size).sum();
    assertEquals(keys, done + failed + notBegun, this::toString);
    long stored = segments.values().stream().flatMap(List::stream).filter(isStored).count();
    assertTrue(done <= stored && stored <= done + failed, () -> this + " but stored " + stored);
    assertTrue(!named.isEmpty(), this::toString);
    assertTrue(segments.keySet().containsAll(named), this::toString);
    int ofNamed =
        named.stream()
            .mapToInt(segment -> Objects.requireNonNull(segments.get(segment)).size())
            .sum();
    if (unnamed == 0) {
      assertEquals(ofNamed, failed, () -> this + " of segments " + segments.keySet());
    } else {
      assertTrue(ofNamed < failed, () -> this + " of named ones " + ofNamed);
      assertTrue(named.size() + unnamed <= segments.size(), this::toString);
    }
  }

  /** Compares the figures with a cache when each failure was certain, so that all is known. */
  <K> void checkCertain(Map<Integer, List<K>> segments, Predicate<K> isStored) {
    check(segments, isStored);
    Set<Integer> missing = new TreeSet<>();
    segments.forEach((segment, keys) -> {
      long stored = keys.stream().filter(isStored).count();
      assertTrue(stored == 0 || stored == keys.size(), () -> "torn: segment=" + segment);
      if (stored == 0) {
        missing.add(segment);
      }
    });
    assertTrue(missing.containsAll(named), () -> this + " but missing " + missing);
    int ofMissing =
        missing.stream()
            .mapToInt(segment -> Objects.requireNonNull(segments.get(segment)).size())
            .sum();
    assertEquals(ofMissing, failed + notBegun, this::toString);
  }
}
