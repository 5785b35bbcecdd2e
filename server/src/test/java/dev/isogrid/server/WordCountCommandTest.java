package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.testkit.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts words in the way of a user. */
class WordCountCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    try (PrintStream toOut = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream toErr = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      return new WordCountCommand(toOut, toErr).run(args);
    }
  }

  @Test
  void words_ofFiles_areCountedWithoutCase(@TempDir Path folder) throws IOException {
    Path one = folder.resolve("one.txt");
    Path two = folder.resolve("two.txt");
    Files.writeString(one, "The cat saw the dog.\n".repeat(2000));
    Files.writeString(two, "(THE) cat");
    assertEquals(0, run("--top", "2", one.toString(), two.toString()));
    String text = out.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("4,001  the") && text.contains("2,001  cat"), text);
    assertTrue(text.contains("10,002 words, 4 different"), text);
  }

  @Test
  void textsOfACluster_areCountedByAMember(@TempDir Path folder) throws IOException {
    int port = FreePorts.one();
    ClusterConfig cluster =
        ClusterConfig.builder().bindAddress("127.0.0.1").bindPort(port).portRange(0).build();
    GridConfig config = GridConfig.builder().clusterName("texts").cluster(cluster).build();
    CacheConfig.Builder binary =
        CacheConfig.builder().mode(CacheMode.DIST_SYNC).storage(StorageType.HEAP_BINARY);
    String[] join = {"--join", "127.0.0.1:" + port, "--cluster-name", "texts", "--top", "1"};
    Path file = folder.resolve("long.txt");
    Files.writeString(file, "x".repeat(10_000) + " a\uD83D\uDE00b".repeat(5_000));
    try (Grid grid = Grid.start(config)) {
      Cache<String, String> cache = grid.cache("poems", binary.build());
      cache.put("one", "Row, row, row your boat");
      assertEquals(0, run(with(join, "--cache", "poems")), this::output);
      assertTrue(output().contains("3  row") && output().contains("5 words"), this::output);
      assertEquals(0, run(with(join, "--cache", "poems", file.toString())), this::output);
      assertTrue(output().contains("5,000  a"), this::output);
      assertTrue(output().contains("10,007 words"), this::output); // the longest is cut in two
      assertTrue(cache.size() > 2, this::output);
      cache.clear();
      cache.put("large", "seven-letter words, \u00e4ndern ".repeat(60_000));
      assertEquals(0, run(with(join, "--cache", "poems")), this::output);
      assertTrue(output().contains("240,000 words, 4 different; 1 entries"), this::output);
      assertTrue(output().contains("skew of pairs "), this::output);
      assertTrue(output().contains("workers mapped "), this::output);
      grid.cache("json", binary.encoding("application/json", "application/json").build());
      assertEquals(Main.EXIT_USAGE, run(with(join, "--cache", "json", file.toString())));
      assertTrue(output().contains("which keeps application/json: name=json"), this::output);
      assertEquals(Main.EXIT_USAGE, run(with(join, "--cache", "none")));
      assertTrue(output().contains("no such cache in the cluster: name=none"), this::output);
      assertEquals(Set.of("poems", "json"), grid.cacheNames());
    }
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }

  private String output() {
    return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void wrongOptions_areRefused() {
    assertEquals(Main.EXIT_USAGE, run());
    assertEquals(Main.EXIT_USAGE, run("--nodes", "0", "file"));
    assertEquals(Main.EXIT_USAGE, run("--top", "x", "file"));
    assertEquals(Main.EXIT_USAGE, run("--cache", "words"));
    assertEquals(Main.EXIT_USAGE, run("--zone", "a/b/c", "file"));
    assertEquals(0, run("--help"));
    assertEquals(Main.EXIT_USAGE, run("no-such-file"));
  }
}
