package dev.isogrid.server.rest;

import dev.isogrid.server.security.Requirements;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An administrative request that is known, and what answers it.
 *
 * @param verb its method
 * @param pattern the segments of its path; {@code *} stands for any one
 * @param action the value of the parameter {@code action}, or null for none
 * @param handler answers it; may block
 */
record Route(Verb verb, List<String> pattern, @Nullable String action, Handler handler) {
  /** Answers a request. */
  @FunctionalInterface
  interface Handler {
    /** Answers, on a thread that may block. */
    Answer answer(AdminRequest request);
  }

  static Route of(Verb verb, String path, @Nullable String action, Handler handler) {
    return new Route(verb, List.of(path.split("/", -1)), action, handler);
  }

  /** What the caller needs for it; see {@link Requirements}. */
  int needed() {
    return Requirements.rest(verb.name(), pattern, action == null ? "" : action);
  }

  /** Whether it is about a cache, whose name is in the path then. */
  boolean isOnCache() {
    return pattern.size() > 3
        && pattern.get(0).equals("rest")
        && pattern.get(2).equals("caches")
        && pattern.get(3).equals("*");
  }

  boolean fitsPath(List<String> path) {
    if (path.size() != pattern.size()) {
      return false;
    }
    for (int i = 0; i < path.size(); i++) {
      String wanted = pattern.get(i);
      if (!wanted.equals("*") && !wanted.equals(path.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a method can be answered: its own, or HEAD in place of GET. */
  boolean fitsVerb(Verb asked) {
    return verb == asked || (asked == Verb.HEAD && verb == Verb.GET);
  }
}
