package dev.isogrid.bench.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The environment of a result besides the code: facts for the head of a report. */
public final class Machine {
  private static final long GIT_SECONDS_MAX = 10;
  private static final String UNKNOWN = "unknown";

  private Machine() {}

  /** The facts by name. */
  public static Map<String, String> facts(Checkout checkout)
      throws IOException, InterruptedException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("commit", commit(checkout));
    facts.put(
        "JDK",
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    facts.put("CPU", field("/proc/cpuinfo", "model name"));
    facts.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", field("/proc/meminfo", "MemTotal"));
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("load average at the start, 1, 5 and 15 minutes", loadAverage());
    return facts;
  }

  private static String commit(Checkout checkout) throws IOException, InterruptedException {
    String commit = git(checkout, "rev-parse", "--short=12", "HEAD");
    if (commit.isEmpty()) {
      return "none yet";
    }
    return isChanged(checkout) ? commit + " with changes" : commit;
  }

  /** Whether files of the checkout are not committed, other than reports of benchmarks. */
  public static boolean isChanged(Checkout checkout) throws IOException, InterruptedException {
    return !git(checkout, "status", "--porcelain", "--", ".", ":(exclude)bench/results").isEmpty();
  }

  /** The output of git, or nothing if it fails. */
  private static String git(Checkout checkout, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("git");
    builder.command().addAll(List.of(arguments));
    builder.directory(checkout.root().toFile());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process git = builder.start();
    String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    boolean ended = git.waitFor(GIT_SECONDS_MAX, TimeUnit.SECONDS);
    return ended && git.exitValue() == 0 ? output.strip() : "";
  }

  private static String field(String file, String name) throws IOException {
    Path path = Path.of(file);
    if (!Files.isReadable(path)) {
      return UNKNOWN;
    }
    return Files.readAllLines(path).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(UNKNOWN);
  }

  private static String loadAverage() throws IOException {
    Path path = Path.of("/proc/loadavg");
    if (!Files.isReadable(path)) {
      return UNKNOWN;
    }
    String[] fields = Files.readString(path).split(" ", -1);
    return fields[0] + ", " + fields[1] + ", " + fields[2];
  }
}
