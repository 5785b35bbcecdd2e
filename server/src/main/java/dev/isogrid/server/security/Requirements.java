package dev.isogrid.server.security;

import static dev.isogrid.server.security.Permission.ADMIN;
import static dev.isogrid.server.security.Permission.BULK_READ;
import static dev.isogrid.server.security.Permission.BULK_WRITE;
import static dev.isogrid.server.security.Permission.CREATE;
import static dev.isogrid.server.security.Permission.EXEC;
import static dev.isogrid.server.security.Permission.LIFECYCLE;
import static dev.isogrid.server.security.Permission.LISTEN;
import static dev.isogrid.server.security.Permission.LOGGED_IN;
import static dev.isogrid.server.security.Permission.MONITOR;
import static dev.isogrid.server.security.Permission.PUBLIC;
import static dev.isogrid.server.security.Permission.READ;
import static dev.isogrid.server.security.Permission.WRITE;

import dev.isogrid.wire.Opcodes;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The one table of what each request of each protocol needs. What is not in it needs {@link
 * Permission#ADMIN}: so a request that someone adds and forgets here is closed, not open.
 */
public final class Requirements {
  private static final int OPERATIONS = 256;
  private static final int[] HOT_ROD = new int[OPERATIONS];

  /** By the name of a task of Hot Rod's exec. */
  private static final Map<String, Integer> TASKS =
      Map.ofEntries(
          Map.entry("@@cache@create", CREATE.mask()),
          Map.entry("@@cache@getorcreate", CREATE.mask()),
          Map.entry("@@cache@remove", CREATE.mask()),
          Map.entry("@@cache@names", LOGGED_IN),
          Map.entry("@@cache@templates", LOGGED_IN),
          Map.entry("@@cache@reindex", ADMIN.mask()),
          Map.entry("@@cache@updateindexschema", ADMIN.mask()),
          Map.entry("@@cache@updateConfigurationAttribute", ADMIN.mask()),
          Map.entry("@@cache@assignAlias", ADMIN.mask()),
          Map.entry("@@template@create", CREATE.mask()),
          Map.entry("@@template@remove", CREATE.mask()),
          Map.entry("@@schemas@createOrUpdate", CREATE.mask()),
          Map.entry("@@schemas@delete", CREATE.mask()));

  /** By a command's word. */
  private static final Map<String, Integer> MEMCACHED =
      Map.ofEntries(
          Map.entry("get", READ.mask()),
          Map.entry("gets", READ.mask()),
          Map.entry("bget", READ.mask()),
          Map.entry("mg", READ.mask()),
          Map.entry("me", READ.mask()),
          Map.entry("ms", WRITE.mask()),
          Map.entry("md", WRITE.mask()),
          Map.entry("ma", WRITE.mask()),
          Map.entry("gat", READ.mask() | WRITE.mask()),
          Map.entry("gats", READ.mask() | WRITE.mask()),
          Map.entry("set", WRITE.mask()),
          Map.entry("add", WRITE.mask()),
          Map.entry("replace", WRITE.mask()),
          Map.entry("append", WRITE.mask()),
          Map.entry("prepend", WRITE.mask()),
          Map.entry("cas", WRITE.mask()),
          Map.entry("incr", WRITE.mask()),
          Map.entry("decr", WRITE.mask()),
          Map.entry("touch", WRITE.mask()),
          Map.entry("delete", WRITE.mask()),
          Map.entry("flush_all", BULK_WRITE.mask()),
          Map.entry("stats", MONITOR.mask()),
          Map.entry("version", LOGGED_IN),
          Map.entry("verbosity", LOGGED_IN),
          Map.entry("mn", LOGGED_IN),
          Map.entry("quit", PUBLIC),
          Map.entry("unknown", LOGGED_IN));

  /**
   * A request of REST: method, path without {@code rest/v2} or {@code rest/v3}, and what it does:
   * the action of version 2, which is a segment of the path in version 3.
   */
  private record Rest(String verb, String path, String action, int needed) {}

  private static final List<Rest> REST =
      List.of(
          new Rest("GET", "caches", "", LOGGED_IN),
          new Rest("GET", "caches", "detailed", MONITOR.mask()),
          new Rest("GET", "meta/caches", "detailed", MONITOR.mask()),
          new Rest("GET", "cache-managers/*/caches", "", MONITOR.mask()),
          new Rest("POST", "caches/*", "", CREATE.mask()),
          new Rest("PUT", "caches/*", "", CREATE.mask()),
          new Rest("DELETE", "caches/*", "", CREATE.mask()),
          new Rest("HEAD", "caches/*", "", LOGGED_IN),
          new Rest("GET", "caches/*", "", MONITOR.mask()),
          new Rest("GET", "caches/*/details", "", MONITOR.mask()),
          new Rest("GET", "caches/*", "config", MONITOR.mask()),
          new Rest("GET", "caches/*/config", "", MONITOR.mask()),
          new Rest("HEAD", "caches/*", "config", MONITOR.mask()),
          new Rest("HEAD", "caches/*/config", "", MONITOR.mask()),
          new Rest("GET", "caches/*", "size", BULK_READ.mask()),
          new Rest("POST", "caches/*", "clear", BULK_WRITE.mask()),
          new Rest("GET", "caches/*", "stats", MONITOR.mask()),
          new Rest("GET", "caches/*", "memory", MONITOR.mask()),
          new Rest("POST", "caches/*", "stats-reset", ADMIN.mask()),
          new Rest("GET", "caches/*", "health", MONITOR.mask()),
          new Rest("GET", "caches/*", "keys", BULK_READ.mask()),
          new Rest("GET", "caches/*/keys", "", BULK_READ.mask()),
          new Rest("GET", "caches/*", "entries", BULK_READ.mask()),
          new Rest("GET", "caches/*/entries", "", BULK_READ.mask()),
          new Rest("GET", "caches/*", "listen", LISTEN.mask()),
          new Rest("POST", "caches", "convert", LOGGED_IN),
          new Rest("POST", "", "cache-config-convert", LOGGED_IN),
          new Rest("GET", "caches/*", "get-availability", MONITOR.mask()),
          new Rest("POST", "caches/*", "set-availability", ADMIN.mask()),
          new Rest("GET", "caches/*", "get-mutable-attributes", MONITOR.mask()),
          new Rest("GET", "caches/*", "get-mutable-attribute", MONITOR.mask()),
          new Rest("GET", "caches/*/config/attributes", "", MONITOR.mask()),
          new Rest("GET", "caches/*/config/attributes/*", "", MONITOR.mask()),
          new Rest("POST", "caches/*", "set-mutable-attribute", ADMIN.mask()),
          new Rest("POST", "caches/*/config/attributes/*", "", ADMIN.mask()),
          new Rest("POST", "caches/*", "assign-alias", ADMIN.mask()),
          new Rest("GET", "container/cache-configs", "", MONITOR.mask()),
          new Rest("GET", "container/cache-configs/templates", "", MONITOR.mask()),
          new Rest("GET", "container", "", MONITOR.mask()),
          new Rest("GET", "container", "stats", MONITOR.mask()),
          new Rest("GET", "container/stats", "", MONITOR.mask()),
          new Rest("GET", "container/health", "", MONITOR.mask()),
          new Rest("GET", "container/health/status", "", PUBLIC),
          new Rest("GET", "cache-managers/*", "", MONITOR.mask()),
          new Rest("GET", "cache-managers/*/health", "", MONITOR.mask()),
          new Rest("GET", "cache-managers/*/health/status", "", PUBLIC),
          new Rest("GET", "server", "", PUBLIC),
          new Rest("GET", "server/memory", "", MONITOR.mask()),
          new Rest("POST", "server", "stop", LIFECYCLE.mask()),
          new Rest("POST", "cluster", "stop", LIFECYCLE.mask()),
          new Rest("GET", "cluster", "rebalancing", MONITOR.mask()),
          new Rest("GET", "cluster/members", "", MONITOR.mask()),
          new Rest("GET", "counters", "", LOGGED_IN),
          new Rest("POST", "counters/*", "", CREATE.mask()),
          new Rest("DELETE", "counters/*", "", CREATE.mask()),
          new Rest("GET", "counters/*", "", READ.mask()),
          new Rest("GET", "counters/*/config", "", READ.mask()),
          new Rest("POST", "counters/*", "increment", WRITE.mask()),
          new Rest("POST", "counters/*", "decrement", WRITE.mask()),
          new Rest("POST", "counters/*", "add", WRITE.mask()),
          new Rest("POST", "counters/*", "reset", WRITE.mask()),
          new Rest("POST", "counters/*", "compareAndSet", WRITE.mask()),
          new Rest("POST", "counters/*", "compareAndSwap", WRITE.mask()),
          new Rest("POST", "counters/*", "compare-and-set", WRITE.mask()),
          new Rest("POST", "counters/*", "compare-and-swap", WRITE.mask()),
          new Rest("POST", "counters/*", "get-and-set", WRITE.mask()),
          new Rest("POST", "counters/*", "getAndSet", WRITE.mask()),
          new Rest("GET", "schemas", "", LOGGED_IN),
          new Rest("GET", "schemas", "types", LOGGED_IN),
          new Rest("GET", "meta/schemas", "types", LOGGED_IN),
          new Rest("GET", "schemas/*", "", LOGGED_IN),
          new Rest("GET", "schemas/*", "detailed", LOGGED_IN),
          new Rest("POST", "schemas/*", "", CREATE.mask()),
          new Rest("PUT", "schemas/*", "", CREATE.mask()),
          new Rest("DELETE", "schemas/*", "", CREATE.mask()),
          new Rest("GET", "tasks", "", LOGGED_IN),
          new Rest("GET", "mapreduce", "", MONITOR.mask()),
          new Rest("POST", "tasks/*", "exec", EXEC.mask()),
          new Rest("GET", "security/user/acl", "", LOGGED_IN),
          new Rest("GET", "login", "config", PUBLIC),
          new Rest("GET", "metrics", "", MONITOR.mask()),
          new Rest("GET", "health/live", "", PUBLIC),
          new Rest("GET", "health/ready", "", PUBLIC));

  static {
    Arrays.fill(HOT_ROD, ADMIN.mask());
    fillEntries();
    fillOthers();
  }

  private Requirements() {}

  private static void need(int needed, int... operations) {
    for (int operation : operations) {
      HOT_ROD[operation] = needed;
    }
  }

  private static void fillEntries() {
    need(
        READ.mask(),
        Opcodes.GET,
        Opcodes.GET_WITH_VERSION,
        Opcodes.GET_WITH_METADATA,
        Opcodes.CONTAINS_KEY,
        Opcodes.GET_STREAM,
        Opcodes.START_GET_STREAM,
        Opcodes.NEXT_GET_STREAM,
        Opcodes.END_GET_STREAM,
        Opcodes.GET_MULTIMAP,
        Opcodes.GET_MULTIMAP_WITH_METADATA,
        Opcodes.CONTAINS_ENTRY_MULTIMAP,
        Opcodes.CONTAINS_KEY_MULTIMAP,
        Opcodes.CONTAINS_VALUE_MULTIMAP);
    need(
        WRITE.mask(),
        Opcodes.PUT,
        Opcodes.PUT_IF_ABSENT,
        Opcodes.REPLACE,
        Opcodes.REPLACE_IF_UNMODIFIED,
        Opcodes.REMOVE,
        Opcodes.REMOVE_IF_UNMODIFIED,
        Opcodes.PUT_STREAM,
        Opcodes.START_PUT_STREAM,
        Opcodes.NEXT_PUT_STREAM,
        Opcodes.END_PUT_STREAM,
        Opcodes.PUT_MULTIMAP,
        Opcodes.REMOVE_KEY_MULTIMAP,
        Opcodes.REMOVE_ENTRY_MULTIMAP);
    need(
        BULK_READ.mask(),
        Opcodes.BULK_GET,
        Opcodes.BULK_GET_KEYS,
        Opcodes.SIZE,
        Opcodes.SIZE_MULTIMAP,
        Opcodes.GET_ALL,
        Opcodes.ITERATION_START,
        Opcodes.ITERATION_NEXT,
        Opcodes.ITERATION_END,
        Opcodes.QUERY);
    need(BULK_WRITE.mask(), Opcodes.PUT_ALL, Opcodes.CLEAR);
  }

  private static void fillOthers() {
    // What a task needs is decided by its name.
    need(LOGGED_IN, Opcodes.EXEC);
    need(PUBLIC, Opcodes.PING, Opcodes.AUTH_MECH_LIST, Opcodes.AUTH);
    need(MONITOR.mask(), Opcodes.STATS);
    need(
        LISTEN.mask(),
        Opcodes.ADD_CLIENT_LISTENER,
        Opcodes.REMOVE_CLIENT_LISTENER,
        Opcodes.ADD_BLOOM_LISTENER,
        Opcodes.UPDATE_BLOOM_FILTER,
        Opcodes.COUNTER_ADD_LISTENER,
        Opcodes.COUNTER_REMOVE_LISTENER);
    need(CREATE.mask(), Opcodes.COUNTER_CREATE, Opcodes.COUNTER_REMOVE);
    need(
        READ.mask(),
        Opcodes.COUNTER_GET,
        Opcodes.COUNTER_GET_CONFIGURATION,
        Opcodes.COUNTER_IS_DEFINED,
        Opcodes.COUNTER_GET_NAMES);
    need(
        WRITE.mask(),
        Opcodes.COUNTER_ADD_AND_GET,
        Opcodes.COUNTER_RESET,
        Opcodes.COUNTER_COMPARE_AND_SWAP,
        Opcodes.COUNTER_GET_AND_SET);
  }

  /**
   * What an operation of Hot Rod needs.
   *
   * @param operation 0 to 255
   */
  public static int hotRod(int operation) {
    return HOT_ROD[operation];
  }

  /** What a task of Hot Rod's exec needs. Scripts of users need EXEC. */
  public static int task(String name) {
    Integer needed = TASKS.get(name);
    if (needed != null) {
      return needed;
    }
    return name.startsWith("@@") ? ADMIN.mask() : EXEC.mask();
  }

  /** What a command of memcached needs. */
  public static int memcached(String word) {
    return MEMCACHED.getOrDefault(word.toLowerCase(Locale.ROOT), ADMIN.mask());
  }

  /** What reading an entry by REST needs. */
  public static int restRead() {
    return READ.mask();
  }

  /** What writing an entry by REST needs. */
  public static int restWrite() {
    return WRITE.mask();
  }

  /**
   * What an administrative request of REST needs.
   *
   * @param verb the method
   * @param pattern the segments of the path; {@code *} stands for any one
   * @param action the action, or empty for none
   */
  public static int rest(String verb, List<String> pattern, String action) {
    boolean isVersioned =
        pattern.size() > 2 && pattern.get(0).equals("rest") && pattern.get(1).matches("v[23]");
    List<String> path = isVersioned ? pattern.subList(2, pattern.size()) : pattern;
    String actual = action;
    if (path.getLast().startsWith("_")) {
      actual = path.getLast().substring(1);
      path = path.subList(0, path.size() - 1);
    }
    String joined = String.join("/", path);
    for (Rest rest : REST) {
      if (rest.verb.equals(verb) && rest.path.equals(joined) && rest.action.equals(actual)) {
        return rest.needed;
      }
    }
    return ADMIN.mask();
  }
}
