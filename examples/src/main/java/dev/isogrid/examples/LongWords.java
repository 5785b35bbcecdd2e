package dev.isogrid.examples;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import java.util.Map;

/** A map/reduce with an own type as its result: what is known of the words of each length. */
public final class LongWords {
  record Words(int count, String longest) {
    static Words of(String word) {
      return new Words(1, word);
    }

    Words and(Words other) {
      boolean isLonger = other.longest.compareTo(longest) > 0;
      return new Words(count + other.count, isLonger ? other.longest : longest);
    }
  }

  private LongWords() {}

  /**
   * Runs the example.
   *
   * @param args the ports of two nodes, or nothing
   */
  public static void main(String[] args) {
    try (TwoNodes nodes = TwoNodes.of(args)) {
      Cache<String, String> texts =
          nodes.first.cache("texts", CacheConfig.builder().mode(CacheMode.DIST_SYNC).build());
      texts.put("hamlet", "to be or not to be that is the question");
      texts.put("macbeth", "tomorrow and tomorrow and tomorrow");
      Map<Integer, Words> byLength =
          nodes
              .second
              .mapReduce(nodes.second.<String, String>cache("texts"))
              .<Integer, Words>mappedWith((title, text, out) -> {
                for (String word : text.split(" ", -1)) {
                  out.emit(word.length(), Words.of(word));
                }
              })
              .combinedWith(Words::and)
              .execute();
      byLength.forEach((length, words) -> System.out.println(length + " letters: " + words));
    }
  }
}
