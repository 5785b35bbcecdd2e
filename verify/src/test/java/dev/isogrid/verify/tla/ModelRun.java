package dev.isogrid.verify.tla;

import dev.isogrid.testkit.Children;
import dev.isogrid.verify.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tlc2.TLC;

/**
 * One run of the model checker TLC.
 *
 * @param config the name of the configuration
 * @param withoutRule the disabled rule, or nothing
 * @param violated the expected violated invariant, or nothing
 */
record ModelRun(String config, String withoutRule, String violated) {
  /*
   * TLC keeps its state in static fields, so each run is a JVM of its own. Most of them end after
   * some seconds, hence the options that make a JVM start fast. TLC unpacks its standard modules
   * into the folder for temporary files and deletes them again, so each run has its own folder.
   */
  private static final Path FOLDER = Project.root().resolve("verify/src/test/tla");
  private static final long SECONDS_MAX = 600;
  private static final Pattern WITHOUT = Pattern.compile("\\\\\\* Without (\\w+): (\\w+)");
  private static final Pattern VIOLATED = Pattern.compile("Invariant (\\w+) is violated");
  private static final Pattern COUNTS =
      Pattern.compile("(?m)^(\\d+) states generated, (\\d+) distinct states found");
  private static final String NO_ERROR = "No error has been found";
  private static final String LONG = "\\* Long.";

  /**
   * The result of a run.
   *
   * @param violated the violated invariant, nothing if all hold, or the failure
   * @param output all output of TLC
   */
  record Result(String violated, String output, double seconds) {
    /** The result in a line. */
    String summary() {
      Matcher counts = COUNTS.matcher(output);
      String states =
          counts.find() ? counts.group(1) + " states, " + counts.group(2) + " distinct" : "?";
      String end = violated.isEmpty() ? "no error" : "violates " + violated;
      return String.format(Locale.ROOT, "%s, %s, %.1f s", end, states, seconds);
    }
  }

  /** All runs of the configurations. */
  static List<ModelRun> all() {
    List<ModelRun> right = new ArrayList<>();
    List<ModelRun> wrong = new ArrayList<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".cfg")) {
          String config = name.substring(0, name.length() - ".cfg".length());
          String text = Files.readString(file);
          if (!text.startsWith(LONG)) {
            right.add(new ModelRun(config, "", ""));
          }
          WITHOUT
              .matcher(text)
              .results()
              .forEach(match -> wrong.add(new ModelRun(config, match.group(1), match.group(2))));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    right.addAll(wrong);
    return List.copyOf(right);
  }

  /** The module's name: the first word of the configuration's name. */
  private String module() {
    return config.replaceFirst("(?<=[a-z])[A-Z].*", "");
  }

  /** Runs TLC. Takes some seconds up to some minutes; blocks. */
  Result check() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("isogrid-tla");
    try {
      return check(folder);
    } finally {
      delete(folder);
    }
  }

  private Result check(Path folder) throws IOException, InterruptedException {
    String module = module();
    Files.copy(FOLDER.resolve(module + ".tla"), folder.resolve(module + ".tla"));
    String text = Files.readString(FOLDER.resolve(config + ".cfg"));
    String off = withoutRule.isEmpty() ? "Off = {}" : "Off = {\"" + withoutRule + "\"}";
    Files.writeString(folder.resolve(module + ".cfg"), text.replace("Off = {}", off));
    Path output = folder.resolve("output");
    long started = System.nanoTime();
    Process process =
        Children.start(
            new ProcessBuilder(command(module, folder))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile()));
    try {
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        return new Result("time", Files.readString(output), SECONDS_MAX);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    String printed = Files.readString(output);
    Matcher found = VIOLATED.matcher(printed);
    String violated = found.find() ? found.group(1) : printed.contains(NO_ERROR) ? "" : "failure";
    return new Result(violated, printed, seconds);
  }

  private List<String> command(String module, Path folder) {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx1g", "-XX:+UseSerialGC"));
    command.add("-Djava.io.tmpdir=" + folder);
    if (!withoutRule.isEmpty()) {
      command.add("-XX:TieredStopAtLevel=1");
    }
    String jar = TLC.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    command.addAll(List.of("-cp", jar, TLC.class.getName()));
    command.addAll(List.of("-workers", "1", "-checkpoint", "0", "-metadir", "states"));
    command.addAll(List.of("-config", module + ".cfg", module + ".tla"));
    return command;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public String toString() {
    return withoutRule.isEmpty() ? config : config + " without " + withoutRule;
  }
}
