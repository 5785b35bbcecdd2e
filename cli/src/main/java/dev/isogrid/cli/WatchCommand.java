package dev.isogrid.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows changes of a cache, or of the set of caches, while they happen. */
final class WatchCommand {
  private static final String PREFIX = "cache-entry-";

  private WatchCommand() {}

  static List<Command> all() {
    return List.of(
        Command.of(
                "watch",
                "Shows changes while they happen, until Ctrl-C: the keys of a cache, or caches that"
                    + " come and go.",
                WatchCommand::watch)
            .cacheOption()
            .option("--count", "COUNT", "Changes after which it ends.")
            .option("--pattern", "PATTERN", "Keys that fit; * is any text, ? one character.")
            .flag("--caches", "Changes of the set of caches.")
            .optional("CACHE", "Name of the cache; default the selected one."));
  }

  private static void watch(Call call) {
    boolean isOfContainer = call.flag("--caches");
    String named = call.operandOrNull(0);
    RestRequest request =
        isOfContainer
            ? RestRequest.get("container", "config")
            : RestRequest.get(
                TreePath.CACHES, call.cache(named == null ? call.text("--cache") : named));
    request.query("action", "listen").header("Accept", isOfContainer ? "*/*" : "text/plain");
    String glob = call.text("--pattern");
    KeyPattern pattern = new KeyPattern(glob == null ? "*" : glob);
    long left = call.number("--count", -1);
    RestConnection connection = call.session().connection();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(connection.stream(request), StandardCharsets.UTF_8))) {
      Event event;
      while (left != 0 && (event = next(lines)) != null) {
        if (pattern.fits(event.content())) {
          print(call.printer(), event);
          left--;
        }
      }
    } catch (IOException e) {
      throw connection.broken(e);
    }
    if (left != 0) {
      throw new CommandFailure(
          "the server ended the stream: it stops, the cache is gone, or too many events waited; "
              + "watch again");
    }
  }

  /** A server-sent event. */
  private record Event(String name, String content) {}

  /** The next event, or null at the end of the stream. */
  private static @Nullable Event next(BufferedReader lines) throws IOException {
    String name = "";
    StringBuilder content = new StringBuilder();
    boolean hasContent = false;
    String line;
    while ((line = lines.readLine()) != null) {
      if (line.startsWith("event:")) {
        name = line.substring("event:".length()).strip();
      } else if (line.startsWith("data:")) {
        String part = line.substring("data:".length());
        content
            .append(hasContent ? "\n" : "")
            .append(part.startsWith(" ") ? part.substring(1) : part);
        hasContent = true;
      } else if (line.isEmpty() && hasContent) {
        return new Event(name, content.toString());
      }
    }
    return null;
  }

  private static void print(Printer printer, Event event) {
    String name = event.name();
    String change = name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    if (printer.isJson()) {
      Map<String, @Nullable Object> json = new LinkedHashMap<>();
      json.put("event", change);
      json.put(name.startsWith(PREFIX) ? "key" : "content", event.content());
      printer.value(json);
    } else {
      printer.text("%-9s %s".formatted(change, event.content()));
    }
    printer.out().flush();
  }
}
