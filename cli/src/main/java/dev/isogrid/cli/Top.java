package dev.isogrid.cli;

import java.io.IOException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;
import org.jspecify.annotations.Nullable;

/** A live view of caches and nodes. */
final class Top {
  private static final long INTERVAL_SECONDS = 1;
  private static final long INTERVAL_SECONDS_MAX = 3600;

  /** Lines besides the rows of the two tables. */
  private static final int FRAME_LINES = 6;

  private static final int HEIGHT_MIN = 10;

  private final Call call;
  private final long count;
  private final long intervalSeconds;

  private Top(Call call) {
    this.call = call;
    this.count = call.number("--count", -1);
    this.intervalSeconds = call.number("--interval", INTERVAL_SECONDS);
    if (intervalSeconds < 1 || intervalSeconds > INTERVAL_SECONDS_MAX) {
      throw new UsageFailure(
          "--interval %d is not possible; give 1 to %d seconds"
              .formatted(intervalSeconds, INTERVAL_SECONDS_MAX));
    }
  }

  /** Runs the command: on a terminal in place, elsewhere frame after frame. */
  static void run(Call call) {
    Top top = new Top(call);
    try (ClusterFigures.Source source = new ClusterFigures.Source(call.session())) {
      if (call.printer().isJson() || !call.session().asker().sees() || top.count >= 0) {
        top.print(source);
      } else {
        top.show(source);
      }
    }
  }

  /** Prints frames one after the other; the first has no rates. */
  private void print(ClusterFigures.Source source) {
    if (count < 0 && !call.printer().isJson()) {
      throw new UsageFailure("top needs a terminal; elsewhere give --count COUNT");
    }
    ClusterFigures before = null;
    for (long done = 0; count < 0 || done < count; done++) {
      if (done > 0) {
        pause();
      }
      ClusterFigures now = source.take();
      TopFrame frame = new TopFrame(now, before);
      if (call.printer().isJson()) {
        call.printer().value(json(now, frame));
      } else {
        lines(frame, Integer.MAX_VALUE).forEach(call.printer()::text);
      }
      call.printer().out().flush();
      before = now;
    }
  }

  private void pause() {
    try {
      TimeUnit.SECONDS.sleep(intervalSeconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    }
  }

  private static Map<String, @Nullable Object> json(ClusterFigures now, TopFrame frame) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("health", now.health());
    json.put("caches", objects(TopFrame.CACHE_COLUMNS, frame.caches()));
    json.put("nodes", objects(TopFrame.NODE_COLUMNS, frame.nodes()));
    return json;
  }

  private static List<Map<String, String>> objects(List<String> columns, List<List<String>> rows) {
    List<Map<String, String>> objects = new ArrayList<>();
    for (List<String> row : rows) {
      Map<String, String> object = new LinkedHashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        object.put(columns.get(i), row.get(i));
      }
      objects.add(object);
    }
    return objects;
  }

  /** The lines of a frame that fit a height. Nodes go before caches: they are fewer. */
  private static List<String> lines(TopFrame frame, int height) {
    List<String> nodes = Printer.align(TopFrame.NODE_COLUMNS, frame.nodes());
    List<String> caches = Printer.align(TopFrame.CACHE_COLUMNS, frame.caches());
    int rest = Math.max(2, height - FRAME_LINES - nodes.size());
    List<String> lines = new ArrayList<>();
    lines.add(frame.title());
    lines.add("");
    lines.addAll(nodes);
    lines.add("");
    lines.addAll(caches.subList(0, Math.min(caches.size(), rest)));
    if (caches.size() > rest) {
      lines.add("and %d more".formatted(caches.size() - rest));
    }
    return lines;
  }

  private void show(ClusterFigures.Source source) {
    Terminal own = call.session().asker().terminal();
    if (own != null) {
      showOn(own, source);
      return;
    }
    try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
      showOn(terminal, source);
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private static CommandFailure unusable(IOException reason) {
    return new CommandFailure(
        "the terminal can't be used: reason=%s; give --count COUNT".formatted(reason.getMessage()),
        reason);
  }

  private void showOn(Terminal terminal, ClusterFigures.Source source) {
    Attributes before = terminal.enterRawMode();
    try {
      terminal.puts(Capability.enter_ca_mode);
      terminal.puts(Capability.cursor_invisible);
      loop(terminal, source);
    } catch (IOException e) {
      throw unusable(e);
    } finally {
      terminal.puts(Capability.cursor_visible);
      terminal.puts(Capability.exit_ca_mode);
      terminal.setAttributes(before);
      terminal.flush();
    }
  }

  private void loop(Terminal terminal, ClusterFigures.Source source) throws IOException {
    NonBlockingReader keys = terminal.reader();
    ClusterFigures before = null;
    while (true) {
      ClusterFigures now = source.take();
      draw(terminal, new TopFrame(now, before));
      before = now;
      int key = keys.read(TimeUnit.SECONDS.toMillis(intervalSeconds));
      if (key == 'q' || key == 'Q' || key == 3 || key == NonBlockingReader.EOF) {
        return;
      }
    }
  }

  private static void draw(Terminal terminal, TopFrame frame) {
    int height = Math.max(HEIGHT_MIN, terminal.getSize().getRows());
    int columns = terminal.getSize().getColumns();
    int width = columns < 1 ? Integer.MAX_VALUE : columns;
    terminal.puts(Capability.cursor_home);
    List<String> lines = new ArrayList<>(lines(frame, height));
    String time =
        LocalTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("HH:mm:ss"));
    lines.set(0, "%s  %s, q quits".formatted(time, lines.getFirst()));
    for (String line : lines) {
      terminal.writer().print(line.length() > width ? line.substring(0, width) : line);
      terminal.puts(Capability.clr_eol);
      terminal.writer().print("\r\n");
    }
    terminal.puts(Capability.clr_eos);
    terminal.flush();
  }
}
