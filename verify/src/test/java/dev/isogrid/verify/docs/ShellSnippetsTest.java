package dev.isogrid.verify.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Grid;
import dev.isogrid.server.DocumentedServer;
import dev.isogrid.testkit.Children;
import dev.isogrid.verify.Project;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of the documentation against one server, and compares their output with the
 * following block of text. Commands of {@code isogrid cli} are run as well. For other commands of
 * the launcher, it looks for their words and options in the sources, and parses a server's options.
 */
@Tag("interop")
class ShellSnippetsTest {
  private static final long LIMIT_SECONDS = 120;
  private static final Pattern PUBLIC_CLASS = Pattern.compile("public (?:final )?class (\\w+)");
  private static final Pattern COMMAND = Pattern.compile("^  ([a-z]+) ", Pattern.MULTILINE);
  private static final Pattern LAUNCHER = Pattern.compile("^(?:\\./|bin/)isogrid ");

  /**
   * Where words of commands are declared, besides the launcher; their first word is quoted there.
   */
  private static final Map<String, String> DECLARED =
      Map.of(
          "user", "server/src/main/java/dev/isogrid/server",
          "data", "server/src/main/java/dev/isogrid/server",
          "backup", "cli/src/main/java/dev/isogrid/cli",
          "bench", "bench/src/main/java/dev/isogrid/bench");

  /** Where options are declared, of commands without a word of their own. */
  private static final Map<String, String> OPTIONS =
      Map.of(
          "chaos", "verify/chaos/src/main/java/dev/isogrid/chaos",
          "wordcount", "server/src/main/java/dev/isogrid/server",
          "cli", "cli/src/main/java/dev/isogrid/cli");

  private static final Pattern IN_TEXT = Pattern.compile("`\\./isogrid ([a-z]+)([^`]*)`");

  /** netcat, as far as the documentation uses it, and curl without its progress. */
  private static final String HEAD =
      """
      set -e
      nc() { exec 3<>"/dev/tcp/$1/$2"; cat >&3; cat <&3; exec 3<&-; }
      curl() { command curl -sS --fail-with-body "$@"; }
      """;

  private static final String CLI = "./isogrid cli ";

  /** The command line of this build, with the server of this test as its default. */
  private static final String THIS_CLI =
      "java -XX:TieredStopAtLevel=1 -cp \"$CLASS_PATH\" dev.isogrid.cli.Main"
          + " -c http://127.0.0.1:11222 ";

  @TempDir static Path folder;
  private static DocumentedServer server;

  @BeforeAll
  static void startAServer() {
    server = DocumentedServer.start();
  }

  @AfterAll
  static void stopTheServer() {
    server.close();
  }

  @TestFactory
  List<DynamicTest> snippets() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    Map<String, Path> folders = new HashMap<>();
    for (Snippet snippet : Snippet.all()) {
      Path own = folders.get(snippet.page());
      if (own == null) {
        own = Files.createTempDirectory(folder, "page");
        folders.put(snippet.page(), own);
      }
      writeSource(snippet, own);
      if (snippet.language().equals("sh") && snippet.remark("run by") == null) {
        Path place = own;
        tests.add(DynamicTest.dynamicTest(snippet.place(), () -> check(snippet, place)));
      }
    }
    assertTrue(tests.size() > 10, () -> "snippets=" + tests.size());
    return tests;
  }

  /** Writes a Java source for a page whose commands compile it. */
  private static void writeSource(Snippet snippet, Path own) throws IOException {
    Matcher name = PUBLIC_CLASS.matcher(snippet.text());
    if (snippet.language().equals("java") && name.find()) {
      Files.writeString(own.resolve(name.group(1) + ".java"), snippet.text());
    }
  }

  private static void check(Snippet snippet, Path own)
      throws IOException, InterruptedException, URISyntaxException {
    StringBuilder script = new StringBuilder(HEAD);
    boolean isContinued = false;
    for (String line : snippet.text().lines().toList()) {
      if (!isContinued && line.startsWith(CLI)) {
        script.append(server.withPorts(THIS_CLI + line.substring(CLI.length()))).append('\n');
      } else if (!isContinued && LAUNCHER.matcher(line).find()) {
        checkLauncher(snippet.place(), line.replaceAll("\\s+#.*", ""));
      } else {
        script.append(server.withPorts(line)).append('\n');
        isContinued = line.endsWith("\\");
      }
    }
    Path api = Path.of(Grid.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String text = script.toString().replace("api/target/classes", api.toString());
    String printed = run(snippet, text, own);
    if (snippet.output() != null) {
      assertEquals(snippet.output().strip(), printed.replace("\r", "").strip(), snippet.place());
    }
  }

  private static String run(Snippet snippet, String script, Path own)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", "");
    Path errors = Files.createTempFile(folder, "errors", "");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", script)
            .directory(own.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    builder.environment().put("CLASS_PATH", System.getProperty("java.class.path"));
    builder.environment().put("HOME", own.toString());
    builder
        .environment()
        .compute("PATH", (_, path) -> Path.of(System.getProperty("java.home"), "bin") + ":" + path);
    Process process = Children.start(builder);
    boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    String printed = Files.readString(output);
    assertTrue(ended, () -> snippet.place() + " did not end: " + printed);
    String wrong = Files.readString(errors);
    assertEquals(0, process.exitValue(), () -> snippet.place() + "\n" + printed + wrong);
    return printed;
  }

  /** The words of a line without quotes. */
  private static List<String> words(String line) {
    return List.of(line.strip().split("\\s+"));
  }

  private static void checkLauncher(String place, String line) throws IOException {
    List<String> words = words(line);
    String command = words.get(1);
    boolean isKnown = commands().contains(command) || line.startsWith("bin/");
    assertTrue(isKnown, () -> place + ": no such command: " + command);
    if (command.equals("server") && !words.contains("--help")) {
      DocumentedServer.check(words.subList(2, words.size()));
    } else {
      checkWords(place, command, words.subList(2, words.size()));
    }
  }

  private static void checkWords(String place, String command, List<String> words)
      throws IOException {
    String folder = DECLARED.get(command);
    String sources = sources(folder == null ? OPTIONS.get(command) : folder);
    List<String> plain = words.stream().filter(word -> word.matches("[a-z]+")).toList();
    if (folder != null && !plain.isEmpty()) {
      String word = plain.getFirst();
      assertTrue(
          sources.contains("\"" + word + "\""),
          () -> place + ": not a word: " + command + " " + word);
    }
    for (String word : words) {
      String option = word.replaceAll("=.*", "");
      boolean isKnown = !option.matches("--[a-z-]+") || sources.contains(option);
      assertTrue(isKnown, () -> place + ": not an option: " + command + " " + option);
    }
  }

  /** The text of the launchers and of the Java files in a folder, if one is given. */
  private static String sources(@Nullable String folder) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String launcher : List.of("isogrid", "dist/bin/isogrid", "dist/build.sh")) {
      text.append(Files.readString(Project.root().resolve(launcher)));
    }
    if (folder != null) {
      try (var files = Files.walk(Project.root().resolve(folder))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          text.append(Files.readString(file));
        }
      }
    }
    return text.toString();
  }

  /** The commands that the launcher's help lists. */
  private static List<String> commands() throws IOException {
    String launcher = Files.readString(Project.root().resolve("isogrid"));
    String help = launcher.substring(launcher.indexOf("Usage: isogrid COMMAND"));
    return COMMAND
        .matcher(help.substring(0, help.indexOf("EOF")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  @Test
  void commands_inTheText_areThoseOfTheLauncher() throws IOException {
    List<String> known = commands();
    assertTrue(known.contains("dist"), known::toString);
    for (Path page : pages()) {
      for (var found : IN_TEXT.matcher(Files.readString(page)).results().toList()) {
        String command = found.group(1);
        assertTrue(known.contains(command), () -> page + ": " + found.group());
        if (!command.equals("server")) {
          checkWords(page + ": " + found.group(), command, words(found.group(2)));
        }
      }
    }
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(Snippet.outsideOfDocs());
    try (var files = Files.list(Project.root().resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    assertFalse(pages.isEmpty());
    return pages;
  }
}
