package dev.isogrid.examples;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Collator;
import dev.isogrid.api.LongCombiner;
import java.util.List;
import java.util.Map;

/** The most frequent words of a cache: a map/reduce over two nodes. */
public final class WordCount {
  private static final List<String> LINES =
      List.of(
          "the quick brown fox jumps over the lazy dog",
          "the dog sleeps and the fox runs",
          "a quick dog is a happy dog and a good dog");

  private WordCount() {}

  /**
   * Runs the example.
   *
   * @param args the ports of two nodes, or nothing
   */
  public static void main(String[] args) {
    try (TwoNodes nodes = TwoNodes.of(args)) {
      Cache<Integer, String> lines =
          nodes.first.cache("lines", CacheConfig.builder().mode(CacheMode.DIST_SYNC).build());
      for (int i = 0; i < LINES.size(); i++) {
        lines.put(i, LINES.get(i));
      }
      List<Map.Entry<String, Long>> top =
          nodes
              .second
              .mapReduce(nodes.second.<Integer, String>cache("lines"))
              .<String, Long>mappedWith((number, line, out) -> {
                for (String word : line.split(" ", -1)) {
                  out.emit(word, 1L);
                }
              })
              .combinedWith(LongCombiner.SUM)
              .execute(Collator.top(2));
      top.forEach(word -> System.out.println(word.getKey() + ": " + word.getValue()));
    }
  }
}
