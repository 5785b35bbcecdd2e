package dev.isogrid.server;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** A logger that keeps its lines, each with its level and exception. Not thread-safe. */
public final class LoggedLines implements System.Logger {
  /** A logged line. */
  public record Line(Level level, String text, @Nullable Throwable thrown) {}

  private final List<Line> lines = new ArrayList<>();

  /** The lines so far. */
  public List<Line> lines() {
    return List.copyOf(lines);
  }

  /** Their texts. */
  public List<String> texts() {
    return lines.stream().map(Line::text).toList();
  }

  @Override
  public String getName() {
    return "lines";
  }

  @Override
  public boolean isLoggable(Level level) {
    return true;
  }

  @Override
  public void log(
      Level level, @Nullable ResourceBundle bundle, String text, @Nullable Throwable thrown) {
    lines.add(new Line(level, text, thrown));
  }

  @Override
  public void log(
      Level level, @Nullable ResourceBundle bundle, String format, Object @Nullable ... params) {
    lines.add(new Line(level, format, null));
  }
}
