package dev.isogrid.server.memcached;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The requests and replies of memcached: the table in {@code conversations.txt}. */
final class Conversations {
  private static final Pattern REPEATED = Pattern.compile("\\{(.[^*{}:]*)\\*(\\d+)}");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(cas|t):(\\w+)}");
  private static final Pattern CAS = Pattern.compile("\\{cas:(\\w+)}");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(x[0-9a-f]{2}|.)");

  private Conversations() {}

  /**
   * One conversation.
   *
   * @param closed whether the server closes the connection at the end
   */
  record Talk(String name, List<Step> steps, boolean closed) {
    @Override
    public String toString() {
      return name;
    }

    /** Whether a request needs a part of an earlier reply. */
    boolean isInteractive() {
      return steps.stream().anyMatch(step -> CAS.matcher(step.request).find());
    }

    /** Characters of all requests. */
    int length() {
      return steps.stream().mapToInt(step -> step.request.length()).sum();
    }
  }

  /** A request and its reply, one character per byte; a cas unique as in the table. */
  record Step(String request, String reply) {}

  /** The cas uniques of one conversation, by their names in the table. */
  static final class CasValues {
    private final Map<String, String> values = new HashMap<>();

    /** The request with real values. */
    String fill(String request) {
      return CAS.matcher(request)
          .replaceAll(name -> Objects.requireNonNull(values.get(name.group(1)), name.group()));
    }

    /** Whether this is the expected reply; notes new values. */
    boolean matches(String expected, String reply) {
      Matcher names = PLACEHOLDER.matcher(expected);
      StringBuilder pattern = new StringBuilder("(?s)");
      List<String> order = new ArrayList<>();
      int end = 0;
      while (names.find()) {
        pattern.append(Pattern.quote(expected.substring(end, names.start())));
        String name = names.group(2);
        if (names.group(1).equals("t")) { // a second may just have passed
          pattern.append("t(?:%s|%d)".formatted(name, Integer.parseInt(name) - 1));
        } else {
          pattern.append("(\\d+)");
          order.add(name);
        }
        end = names.end();
      }
      pattern.append(Pattern.quote(expected.substring(end)));
      if (end == 0) {
        return expected.equals(reply);
      }
      Matcher matcher = Pattern.compile(pattern.toString()).matcher(reply);
      if (!matcher.matches()) {
        return false;
      }
      MatchResult found = matcher.toMatchResult();
      for (int i = 0; i < order.size(); i++) {
        String value = found.group(i + 1);
        if (!values.computeIfAbsent(order.get(i), name -> value).equals(value)) {
          return false;
        }
      }
      return true;
    }
  }

  static List<Talk> all() throws IOException {
    String text;
    try (InputStream in = Conversations.class.getResourceAsStream("conversations.txt")) {
      text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.ISO_8859_1);
    }
    List<Talk> talks = new ArrayList<>();
    List<String> lines = text.lines().filter(l -> !l.isEmpty() && !l.startsWith("#")).toList();
    int at = 0;
    while (at < lines.size()) {
      int end = at + 1;
      while (end < lines.size() && !lines.get(end).startsWith("= ")) {
        end++;
      }
      talks.add(talk(lines.get(at).substring(2), lines.subList(at + 1, end)));
      at = end;
    }
    return talks;
  }

  private static Talk talk(String name, List<String> lines) {
    List<Step> steps = new ArrayList<>();
    StringBuilder request = new StringBuilder();
    StringBuilder reply = new StringBuilder();
    boolean closed = false;
    for (String line : lines) {
      switch (line.charAt(0)) {
        case '>' -> {
          if (!reply.isEmpty()) {
            steps.add(new Step(request.toString(), reply.toString()));
            request.setLength(0);
            reply.setLength(0);
          }
          request.append(unescaped(line));
        }
        case '<' -> reply.append(unescaped(line));
        case '!' -> closed = true;
        default -> throw new IllegalArgumentException(line);
      }
    }
    steps.add(new Step(request.toString(), reply.toString()));
    return new Talk(name, List.copyOf(steps), closed);
  }

  private static String unescaped(String line) {
    String text = line.substring(Math.min(2, line.length()));
    boolean open = text.endsWith("\\") && !text.endsWith("\\\\");
    if (open) {
      text = text.substring(0, text.length() - 1);
    }
    String repeated =
        REPEATED
            .matcher(text)
            .replaceAll(found ->
                Matcher.quoteReplacement(found.group(1).repeat(Integer.parseInt(found.group(2)))));
    String plain =
        ESCAPE
            .matcher(repeated)
            .replaceAll(found -> Matcher.quoteReplacement(character(found.group(1))));
    return open ? plain : plain + "\r\n";
  }

  private static String character(String escape) {
    return switch (escape.charAt(0)) {
      case 'r' -> "\r";
      case 'n' -> "\n";
      case 't' -> "\t";
      case '\\' -> "\\";
      default -> Character.toString(Integer.parseInt(escape.substring(1), 16));
    };
  }
}
