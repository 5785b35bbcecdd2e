package dev.isogrid.chaos.run;

import dev.isogrid.chaos.history.History;
import dev.isogrid.chaos.history.HistoryFile;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** The command {@code ./isogrid chaos}. */
public final class Main {
  private static final int EXIT_VIOLATION = 1;
  private static final int EXIT_USAGE = 2;

  /** The bound of generated seeds: short enough to type. */
  private static final int SEED_MAX = 1_000_000;

  /** The system property with the folder of the checkout, set by the launcher. */
  private static final String CHECKOUT = "isogrid.checkout";

  private static final System.Logger log = System.getLogger(Main.class.getName());

  private Main() {}

  /** See {@code ./isogrid chaos --help}. */
  public static void main(String[] words) {
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(Main::killChildren));
    // Threads of the client may remain that keep the JVM alive.
    System.exit(exitCode(Arrays.asList(words)));
  }

  /** However the run ends, also by a signal, the processes that it started end with it. */
  private static void killChildren() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
  }

  private static int exitCode(List<String> words) {
    try {
      Path checkout = Path.of(System.getProperty(CHECKOUT, "")).toAbsolutePath();
      long usualSeed = RandomGenerator.getDefault().nextInt(SEED_MAX);
      Options options = new OptionsParser(usualSeed, checkout).parse(words, System.out);
      if (options == null) {
        return 0;
      }
      return options.history() == null ? run(options, checkout) : check(options);
    } catch (OptionsParser.UsageException failure) {
      System.err.println("isogrid chaos: " + failure.getMessage());
      return EXIT_USAGE;
    } catch (IOException | InterruptedException | RuntimeException failure) {
      log.log(Level.ERROR, "the run failed", failure);
      return EXIT_USAGE;
    }
  }

  private static int run(Options options, Path checkout) throws IOException, InterruptedException {
    System.out.println(options.command());
    Summary summary = new ChaosRun(options, checkout, System.out).run();
    System.out.print(summary.text());
    Files.writeString(options.folder().resolve("summary.txt"), summary.text());
    Files.write(options.folder().resolve("gaps.tsv"), summary.gaps());
    Files.write(options.folder().resolve("violations.txt"), summary.violations());
    return summary.violations().isEmpty() ? 0 : EXIT_VIOLATION;
  }

  private static int check(Options options) throws IOException {
    History.Result result = History.check(HistoryFile.read(options.requireHistory()));
    result.problems().forEach((key, verdict) -> System.out.println(Summary.text(key, verdict)));
    System.out.printf("keys: %d, problems: %d%n", result.keys(), result.problems().size());
    return result.problems().isEmpty() ? 0 : EXIT_VIOLATION;
  }
}
