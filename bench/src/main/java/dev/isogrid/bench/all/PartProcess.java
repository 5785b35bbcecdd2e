package dev.isogrid.bench.all;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A part as a process of the launcher. Its output goes into a file. */
final class PartProcess implements PartRunner {
  /** The time that a process has for an orderly end. */
  private static final long END_SECONDS_MAX = 20;

  /** The beginning of the line in which a benchmark names its report. */
  private static final String WRITTEN = "written to ";

  private final List<String> launcher;
  private final Path results;
  private final Path logs;

  /**
   * Makes a runner.
   *
   * @param launcher the command before the words of a part
   * @param results the folder of the reports
   * @param logs the folder of the output
   */
  PartProcess(List<String> launcher, Path results, Path logs) {
    this.launcher = List.copyOf(launcher);
    this.results = results;
    this.logs = logs;
  }

  @Override
  public Ending run(Part part, Duration limit) throws IOException, InterruptedException {
    Files.createDirectories(logs);
    Path log = logs.resolve("all-" + part.id() + ".log");
    List<String> command = new ArrayList<>(launcher);
    command.addAll(part.words());
    command.addAll(List.of("--results", results.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    Process process = builder.start();
    try {
      process.getOutputStream().close(); // nobody answers questions
      if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        return new Ending(
            false, "not done in %d s; its output is in %s".formatted(limit.toSeconds(), log));
      }
    } finally {
      end(process);
    }
    return ending(process.exitValue(), Files.readString(log, StandardCharsets.UTF_8), log);
  }

  private static Ending ending(int code, String output, Path log) {
    List<String> reports = output.lines().filter(line -> line.startsWith(WRITTEN)).toList();
    if (code != 0 || reports.isEmpty()) {
      return new Ending(false, "exit code %d; its output is in %s".formatted(code, log));
    }
    Path report = Path.of(reports.getLast().substring(WRITTEN.length()));
    return new Ending(true, String.valueOf(report.getFileName()));
  }

  /** Ends the process, and those that it started, if they still run. */
  private static void end(Process process) throws InterruptedException {
    List<ProcessHandle> family = process.descendants().toList();
    process.destroy();
    boolean hasEnded = process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS);
    family.forEach(ProcessHandle::destroyForcibly);
    if (!hasEnded) {
      process.destroyForcibly();
    }
  }
}
