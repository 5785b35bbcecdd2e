package dev.isogrid.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Option;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandLineTest {
  /** A command in Markdown, between backquotes. */
  private static final Pattern COMMAND = Pattern.compile("`\\./isogrid bench ([^`]*)`");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Main main =
      new Main(
          Main.all(),
          new PrintStream(out, true, StandardCharsets.UTF_8),
          new PrintStream(err, true, StandardCharsets.UTF_8));

  @Test
  void run_withHelp_listsTheBenchmarks() {
    assertEquals(0, main.run("--help"));
    for (Benchmark benchmark : Main.all()) {
      assertTrue(text(out).contains("  " + benchmark.name() + " "), benchmark.name());
    }
  }

  @Test
  void run_withHelpOfABenchmark_listsItsOptionsWithDefaultsAndUnits() {
    for (Benchmark benchmark : Main.all()) {
      out.reset();
      assertEquals(0, main.run(benchmark.name(), "--help"));
      String help = text(out).replaceAll("\\s", ""); // lines end anywhere
      for (Option option : benchmark.options()) {
        assertTrue(help.contains(option.name() + "=" + option.kind().label()), option.name());
        assertTrue(help.contains("Default" + option.usual().replace(" ", "")), option.name());
      }
      assertTrue(help.contains("--results=DIR"), help);
      benchmark.flags().keySet().forEach(flag -> assertTrue(help.contains(flag), flag));
    }
    assertEquals("", text(err));
  }

  @Test
  void run_ofAllWithList_showsTheChosenParts() {
    assertEquals(0, main.run("all", "--list", "--only", "codec,start"));
    assertTrue(text(out).contains("./isogrid bench codec"), text(out));
    assertTrue(text(out).contains("./isogrid bench start"), text(out));
    assertEquals(3, text(out).lines().count(), text(out));
  }

  @Test
  void choose_ofEachPartOfAll_isUnderstood() {
    assertEquals(0, main.run("all", "--list"));
    List<String> commands = text(out).lines().filter(line -> line.contains("./isogrid")).toList();
    assertTrue(commands.size() > 10, text(out));
    for (String line : commands) {
      String words = line.substring(line.indexOf("bench ") + "bench ".length());
      assertNotNull(main.choose(words.split(" ", -1)), line);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--",
        "--what",
        "nothing",
        "codec more",
        "codec --what 1",
        "codec --rounds",
        "codec --rounds 0",
        "codec --rounds few",
        "codec --rounds 1 --rounds 2",
        "server --heap much",
        "local --threads 1,,2",
        "all --only nothing --list",
        "all --quick",
      })
  void run_ofAWrongCommandLine_saysSoInALineAndEndsWithTwo(String words) {
    assertEquals(2, main.run(words.isEmpty() ? new String[0] : words.split(" ", -1)));
    String line = text(err);
    assertTrue(line.startsWith("isogrid bench: "), line);
    assertEquals(1, line.lines().count(), line);
    assertTrue(
        line.contains("--help") || line.contains("; give ") || line.contains("; there are "), line);
    assertEquals("", text(out));
  }

  @Test
  void choose_ofEachCommandInThePagesAndReports_isUnderstood() throws IOException {
    List<String> commands = new ArrayList<>();
    Path root = Path.of("..").toAbsolutePath(); // tests run in the module's folder
    try (Stream<Path> pages = Files.walk(root.resolve("docs"));
        Stream<Path> reports = Files.walk(root.resolve("bench/results"))) {
      for (Path page :
          Stream.concat(pages, reports).filter(BenchCommandLineTest::isPage).toList()) {
        // A command may go on in the next line.
        Matcher matcher = COMMAND.matcher(Files.readString(page).replaceAll("\\s+", " "));
        while (matcher.find()) {
          commands.add(matcher.group(1));
        }
      }
    }
    assertFalse(commands.isEmpty());
    for (String command : commands) {
      assertNotNull(main.choose(command.split(" ", -1)), command);
    }
  }

  private static boolean isPage(Path file) {
    return file.toString().endsWith(".md");
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
