package dev.isogrid.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of a benchmark: tables, and remarks on how to read them. Not thread-safe. */
public final class Report {
  /** Reports of one benchmark per day: more is a mistake. */
  private static final int REPORTS_A_DAY_MAX = 1000;

  private static final String PICTURE = ".svg";

  private final List<Table> tables = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private final Map<String, String> attachments = new LinkedHashMap<>();

  private boolean failed;

  /** Says that a part of the benchmark gave no figures. */
  public void fail() {
    failed = true;
  }

  /** Whether a part of the benchmark gave no figures. */
  public boolean hasFailed() {
    return failed;
  }

  /** Adds a table. */
  public void add(Table table) {
    tables.add(table);
  }

  /** Adds a sentence or two that a reader of the figures needs. */
  public void remark(String remark) {
    remarks.add(remark);
  }

  /**
   * Adds a file that is written beside the report, with the same name.
   *
   * @param suffix the end of its name: {@code .csv}, or {@code .svg} for a picture, which the
   *     report shows; {@code -of-something.svg} for one of several
   */
  public void attach(String suffix, String text) {
    attachments.put(suffix, text);
  }

  /** The remarks and tables in Markdown. */
  public String body() {
    StringBuilder text = new StringBuilder();
    remarks.forEach(remark -> text.append("- ").append(remark).append('\n'));
    tables.forEach(table -> text.append('\n').append(table.markdown()));
    return text.toString();
  }

  /**
   * Writes the report to a new file, named by date and benchmark.
   *
   * @param folder created if it does not exist
   * @param name the name of the benchmark
   * @param facts the facts above the body
   * @return the file
   */
  public Path write(Path folder, String name, Map<String, String> facts) throws IOException {
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    StringBuilder text = new StringBuilder("# Benchmark %s, %s\n\n".formatted(name, today));
    facts.forEach((fact, value) -> text.append("- %s: %s\n".formatted(fact, value)));
    text.append("\n## Results\n\n").append(body());
    Files.createDirectories(folder);
    for (int number = 1; number <= REPORTS_A_DAY_MAX; number++) {
      String suffix = number == 1 ? "" : "-" + number;
      String stem = "%s-%s%s".formatted(today, name, suffix);
      Path file = folder.resolve(stem + ".md");
      if (!Files.exists(file)) {
        for (Map.Entry<String, String> attachment : attachments.entrySet()) {
          Files.writeString(folder.resolve(stem + attachment.getKey()), attachment.getValue());
        }
        return Files.writeString(file, text + links(stem));
      }
    }
    throw new IOException("too many reports of one day: folder=" + folder + "; move some away");
  }

  private String links(String stem) {
    StringBuilder text = new StringBuilder();
    for (String suffix : attachments.keySet()) {
      String file = stem + suffix;
      String mark = suffix.endsWith(PICTURE) ? "!" : "";
      text.append("\n%s[%s](%s)\n".formatted(mark, file.substring(0, file.lastIndexOf('.')), file));
    }
    return text.toString();
  }
}
