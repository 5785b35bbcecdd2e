package dev.isogrid.bench.all;

import dev.isogrid.api.InvalidRequestException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One benchmark of a run of all.
 *
 * @param id the name by which it is chosen
 * @param minutes about how long it takes on two processors
 * @param words its command line after {@code isogrid bench}
 */
record Part(String id, int minutes, List<String> words) {
  /** A part may take this many times its planned time, on a slower machine. */
  private static final int LATE_FACTOR = 2;

  /** The least limit: a start of some JVMs on a slow machine. */
  private static final int LIMIT_MINUTES_MIN = 3;

  /**
   * The parts of {@code docs/performance.md}, with a warm-up that is long enough for servers that
   * begin in interpreted code; together they are planned to take less than 90 minutes on two
   * processors.
   */
  static final List<Part> ALL =
      List.of(
          part(
              "server",
              11,
              "server --clients HOT_ROD_RAW,HOT_ROD_22,MEMCACHED_50,MEMCACHED_MULTI,REST_50,"
                  + "RESP_RAW --rounds 2 --warmup-millis 6000 --millis 3000"),
          part(
              "pipelines",
              3,
              "server --servers isogrid,redis --clients HOT_ROD_RAW,RESP_RAW --rounds 2 --depth 64"
                  + " --warmup-millis 6000 --millis 3000"),
          part(
              "cluster",
              12,
              "cluster --libraries isogrid,infinispan --operations get,put --rounds 2"
                  + " --megabytes 300"),
          part("stream", 14, "stream --rounds 1 --nodes 3 --millis 1000"),
          part("start", 1, "start"),
          part("hitratio", 6, "hitratio"),
          part(
              "client",
              10,
              "client --cases single,threads,many-to-three --clients isogrid,infinispan-16"
                  + " --rounds 2 --warmup-millis 4000 --millis 3000"),
          part(
              "local",
              3,
              "local --quick --distributions uniform --subjects CONCURRENT_HASH_MAP,"
                  + "ISOGRID_OBJECT,ISOGRID_BINARY,ISOGRID_OFF_HEAP,"
                  + "INFINISPAN,INFINISPAN_OFF_HEAP"),
          part("embedded", 4, "embedded --kinds string,record --rounds 5 --warmup 4"),
          part("compressed", 2, "embedded --kinds json,order --threads 1 --rounds 5 --warmup 4"),
          part("codec", 2, "codec"),
          part("neighbours", 2, "neighbours"),
          part("strangers", 2, "strangers"),
          part("persistence", 4, "persistence --rounds 2 --warmup-millis 4000 --millis 3000"),
          part(
              "mapreduce",
              4,
              "mapreduce --experiments fixed --nodes 1,2 --warm-up-seconds 4"
                  + " --measure-seconds 4"),
          part("memory", 6, "memory --sets 1M --rounds 2"));

  /** Copies the list. */
  Part {
    words = List.copyOf(words);
  }

  private static Part part(String id, int minutes, String words) {
    return new Part(id, minutes, Arrays.asList(words.split(" ", -1)));
  }

  /** The time after which it is given up. */
  Duration limit() {
    return Duration.ofMinutes(Math.max(LIMIT_MINUTES_MIN, LATE_FACTOR * minutes));
  }

  /** The command that runs it alone. */
  String command() {
    return "./isogrid bench " + String.join(" ", words);
  }

  /**
   * The parts of the names, in the order of the plan, or all.
   *
   * @throws InvalidRequestException if there is no part of a name
   */
  static List<Part> named(List<String> ids) {
    if (ids.equals(List.of("all"))) {
      return ALL;
    }
    List<String> unknown = new ArrayList<>(ids);
    unknown.removeAll(ALL.stream().map(Part::id).toList());
    if (!unknown.isEmpty()) {
      throw new InvalidRequestException(
          "no such part: %s; there are %s"
              .formatted(
                  unknown.getFirst(),
                  ALL.stream().map(Part::id).collect(Collectors.joining(", "))));
    }
    return ALL.stream().filter(part -> ids.contains(part.id())).toList();
  }

  /** A line per part, with the planned minutes, and their sum. */
  static String list(List<Part> parts) {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      text.append("%-12s%3d min  %s%n".formatted(part.id(), part.minutes(), part.command()));
    }
    int sum = parts.stream().mapToInt(Part::minutes).sum();
    return text.append("%-12s%3d min%n".formatted("together", sum)).toString();
  }
}
