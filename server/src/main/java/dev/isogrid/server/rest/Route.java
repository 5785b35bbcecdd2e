package dev.isogrid.server.rest;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.backup.BackupDesk;
import dev.isogrid.server.security.Requirement;
import dev.isogrid.server.security.Requirements;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A known administrative request with its handler.
 *
 * @param verb its method
 * @param pattern the segments of its path; {@code *} stands for any segment
 * @param action the value of the parameter {@code action}, or null for none
 * @param requirement the permissions that its caller needs
 * @param handler answers it; may block
 */
record Route(
    Verb verb,
    List<String> pattern,
    @Nullable String action,
    Requirement requirement,
    Handler handler) {
  /** Answers a request. */
  @FunctionalInterface
  interface Handler {
    /** Answers, on a thread that may block. */
    Answer answer(AdminRequest request);
  }

  /** Answers a request whose body may be larger than memory allows. */
  interface UploadHandler extends Handler {
    /** Whether the body of a request goes into a file. Does not block. */
    boolean isUpload(AdminRequest request);

    /** Begins an upload, on a thread that may block; it ends with its request. */
    BackupDesk.Upload begin(AdminRequest request);
  }

  /** Answers a request on a cache. */
  @FunctionalInterface
  interface CacheHandler {
    /**
     * Answers, on a thread that may block.
     *
     * @param cache of the request, whose permissions were checked
     */
    Answer answer(AdminRequest request, CacheEngine<BinaryKey, Bytes> cache);
  }

  /** A route on the server as a whole, or one whose handler finds its cache itself. */
  static Route of(Verb verb, String path, @Nullable String action, Handler handler) {
    List<String> pattern = List.of(path.split("/", -1));
    return new Route(verb, pattern, action, requirement(verb, pattern, action), handler);
  }

  /** Requests of version 2, followed by the same requests in version 3. */
  static List<Route> inBothVersions(List<Route> version2) {
    List<Route> both = new ArrayList<>(version2);
    // Those that end with an action come first: a path that ends with any name fits them as well.
    version2.stream()
        .filter(route -> route.action != null)
        .map(Route::inVersion3)
        .forEach(both::add);
    version2.stream()
        .filter(route -> route.action == null)
        .map(Route::inVersion3)
        .forEach(both::add);
    return both;
  }

  /** The same request in version 3, where an action is the last segment of the path. */
  private Route inVersion3() {
    List<String> path = new ArrayList<>(pattern);
    path.set(1, "v3");
    if (action != null) {
      path.add("_" + action);
    }
    return new Route(verb, List.copyOf(path), null, requirement, handler);
  }

  private static Requirement requirement(Verb verb, List<String> pattern, @Nullable String action) {
    return Requirements.rest(verb.name(), pattern, action == null ? "" : action);
  }

  /**
   * A route on a cache, which must exist. One look-up finds the cache and checks the caller's
   * permissions.
   */
  static Route onCache(Verb verb, String path, @Nullable String action, CacheHandler handler) {
    List<String> pattern = List.of(path.split("/", -1));
    Requirement requirement = requirement(verb, pattern, action);
    int needed = requirement.needed();
    return new Route(
        verb,
        pattern,
        action,
        requirement,
        request -> handler.answer(request, request.guard().cache(request, needed)));
  }

  /** The permissions that its caller needs; see {@link Requirements}. */
  int needed() {
    return requirement.needed();
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

  /** Whether it answers a method: its own, or HEAD in place of GET. */
  boolean fitsVerb(Verb asked) {
    return verb == asked || (asked == Verb.HEAD && verb == Verb.GET);
  }
}
