package dev.isogrid.examples;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Players of a cluster, ranked and grouped where they are kept. */
public final class Leaderboard {
  enum Country {
    NO,
    PT,
    JP
  }

  record Player(String name, long score, Country country) {}

  private Leaderboard() {}

  /**
   * Runs the example.
   *
   * @param args the ports of two nodes, or nothing
   */
  public static void main(String[] args) {
    try (TwoNodes nodes = TwoNodes.of(args)) {
      CacheConfig distributed = CacheConfig.builder().mode(CacheMode.DIST_SYNC).build();
      Cache<String, Player> players = nodes.first.cache("players", distributed);
      Map<String, Player> all = new HashMap<>();
      for (int i = 0; i < 10_000; i++) {
        String name = "player" + i;
        all.put(name, new Player(name, i * 7919L % 10_000, Country.values()[i % 3]));
      }
      players.putAll(all);

      Cache<String, Player> elsewhere = nodes.second.cache("players");
      List<String> best =
          elsewhere.values().stream()
              .sorted((a, b) -> Long.compare(b.score(), a.score()))
              .limit(3)
              .map(Player::name)
              .toList();
      System.out.println("best: " + best);
      Map<Country, Long> byCountry =
          elsewhere.values().stream()
              .collect(() -> Collectors.groupingBy(Player::country, Collectors.counting()));
      System.out.println("by country: " + new TreeMap<>(byCountry));
    }
  }
}
