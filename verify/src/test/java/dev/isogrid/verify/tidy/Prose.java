package dev.isogrid.verify.tidy;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Patterns of English that need a second reading, as far as a line shows them. They are refused in
 * the modules of the list, which only gets longer.
 */
public final class Prose {
  private static final List<String> MODULES =
      List.of(
          "api/",
          "wire/",
          "types/",
          "client/",
          "client-pooled/",
          "jcache/",
          "spring-boot-starter/",
          "micrometer/",
          "dist/",
          "cli/",
          "jdbc/",
          "bench/",
          "verify/",
          "server/",
          "grid/src/test/",
          "grid/src/main/java/dev/isogrid/base/",
          "grid/src/main/java/dev/isogrid/codec/",
          "grid/src/main/java/dev/isogrid/config/",
          "grid/src/main/java/dev/isogrid/mapreduce/",
          "grid/src/main/java/dev/isogrid/node/",
          "grid/src/main/java/dev/isogrid/stream/",
          "grid/src/main/java/dev/isogrid/structure/",
          "grid/src/main/java/dev/isogrid/topology/");

  /** The text of a comment that begins or goes on in a line. */
  private static final Pattern COMMENT = Pattern.compile("^(?:/\\*\\*?|\\*|//) ?(.*)$");

  private record Refused(Pattern pattern, String advice) {}

  private static final List<Refused> REFUSED =
      List.of(
          new Refused(
              Pattern.compile("(?:^|[.:;] )Who [a-z]"),
              "a sentence begins with a free `Who`; say caller, client, reader or node"),
          new Refused(
              Pattern.compile("(?:^|\\. )What [a-z{][^?]*$"),
              "a sentence begins with a free `What`; name the thing"),
          new Refused(
              Pattern.compile("\\b(?:tell|tells|told) of\\b"), "`tells of`; say shows or reports"),
          new Refused(Pattern.compile("\\bof whom\\b"), "`of whom`; begin a new sentence"),
          new Refused(Pattern.compile("\\bthere is that\\b"), "`there is that`; name the thing"),
          new Refused(
              Pattern.compile("\\bwhat (?:comes|came|becomes|became) of (?:it|them)\\b"),
              "`what comes of it`; say result or outcome"),
          new Refused(
              Pattern.compile("(?:^|\\. )Has (?:a|an|the|all|what|those|code)\\b"),
              "`Has x done`; say runs, sends or retries x"),
          new Refused(
              Pattern.compile(
                  "\\b(?:one|[0-9]+|bytes|ns|ms|µs|pages|places|lines) an? "
                      + "(?:server|node|connection|segment|entry|call|request)\\b"),
              "`one a server`; say per server"));

  private Prose() {}

  /** The problem of a line of Java, or null. */
  static @Nullable String problem(String path, String line) {
    Matcher comment = COMMENT.matcher(line.strip());
    boolean isRead = MODULES.stream().anyMatch(path::startsWith);
    return isRead && comment.matches() ? problem(comment.group(1).strip()) : null;
  }

  /** The problem of a line of text, or null. */
  public static @Nullable String problem(String text) {
    for (Refused each : REFUSED) {
      if (each.pattern().matcher(text).find()) {
        return each.advice();
      }
    }
    return null;
  }
}
