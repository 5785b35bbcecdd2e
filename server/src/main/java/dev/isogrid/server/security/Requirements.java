package dev.isogrid.server.security;

import static dev.isogrid.server.security.Permission.ADMIN;
import static dev.isogrid.server.security.Permission.BULK_READ;
import static dev.isogrid.server.security.Permission.BULK_WRITE;
import static dev.isogrid.server.security.Permission.CREATE;
import static dev.isogrid.server.security.Permission.EXEC;
import static dev.isogrid.server.security.Permission.LISTEN;
import static dev.isogrid.server.security.Permission.LOGGED_IN;
import static dev.isogrid.server.security.Permission.MONITOR;
import static dev.isogrid.server.security.Permission.PUBLIC;
import static dev.isogrid.server.security.Permission.READ;
import static dev.isogrid.server.security.Permission.WRITE;

import dev.isogrid.node.InternalCaches;
import dev.isogrid.server.security.Requirement.On;
import dev.isogrid.wire.Opcodes;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The one table of the permissions that each request of each protocol needs; {@code
 * docs/permissions.md} is made from it. Other requests need {@link Permission#ADMIN}: so a new
 * request without a line here is closed, not open.
 */
public final class Requirements {
  /** The number of Hot Rod opcodes, which are bytes. */
  private static final int OPERATIONS_MAX = 256;

  private static final int[] HOT_ROD = new int[OPERATIONS_MAX];
  private static final Map<Integer, Requirement> OPERATIONS = new TreeMap<>();

  /** The tasks of the server by name, for Hot Rod's exec. */
  private static final Map<String, Requirement> TASKS =
      byName(
          new Requirement("@@cache@create", CREATE.mask(), On.SERVER_AND_CACHE),
          new Requirement("@@cache@getorcreate", CREATE.mask(), On.SERVER_AND_CACHE),
          new Requirement("@@cache@remove", CREATE.mask(), On.SERVER_AND_CACHE),
          new Requirement("@@cache@names", LOGGED_IN, On.SERVER),
          new Requirement("@@cache@templates", LOGGED_IN, On.SERVER),
          new Requirement("@@cache@reindex", ADMIN.mask(), On.SERVER),
          new Requirement("@@cache@updateindexschema", ADMIN.mask(), On.SERVER),
          new Requirement(
              "@@cache@updateConfigurationAttribute", ADMIN.mask(), On.SERVER_AND_CACHE),
          new Requirement("@@cache@assignAlias", ADMIN.mask(), On.SERVER_AND_CACHE),
          new Requirement("@@template@create", CREATE.mask(), On.SERVER),
          new Requirement("@@template@remove", CREATE.mask(), On.SERVER),
          new Requirement("@@schemas@createOrUpdate", CREATE.mask(), On.SERVER),
          new Requirement("@@schemas@delete", CREATE.mask(), On.SERVER));

  /** The requirement of all other tasks of exec, which are deployed ones. */
  private static final Requirement DEPLOYED =
      new Requirement("a deployed task", EXEC.mask(), On.SERVER_AND_CACHE);

  /** The commands of memcached by their words. */
  private static final Map<String, Requirement> MEMCACHED =
      byName(
          new Requirement("get", READ.mask(), On.CACHE),
          new Requirement("gets", READ.mask(), On.CACHE),
          new Requirement("bget", READ.mask(), On.CACHE),
          new Requirement("mg", READ.mask(), On.CACHE),
          new Requirement("me", READ.mask(), On.CACHE),
          new Requirement("ms", WRITE.mask(), On.CACHE),
          new Requirement("md", WRITE.mask(), On.CACHE),
          new Requirement("ma", WRITE.mask(), On.CACHE),
          new Requirement("gat", READ.mask() | WRITE.mask(), On.CACHE),
          new Requirement("gats", READ.mask() | WRITE.mask(), On.CACHE),
          new Requirement("set", WRITE.mask(), On.CACHE),
          new Requirement("add", WRITE.mask(), On.CACHE),
          new Requirement("replace", WRITE.mask(), On.CACHE),
          new Requirement("append", WRITE.mask(), On.CACHE),
          new Requirement("prepend", WRITE.mask(), On.CACHE),
          new Requirement("cas", WRITE.mask(), On.CACHE),
          new Requirement("incr", WRITE.mask(), On.CACHE),
          new Requirement("decr", WRITE.mask(), On.CACHE),
          new Requirement("touch", WRITE.mask(), On.CACHE),
          new Requirement("delete", WRITE.mask(), On.CACHE),
          new Requirement("flush_all", BULK_WRITE.mask(), On.CACHE),
          new Requirement("stats", MONITOR.mask(), On.CACHE),
          new Requirement("cache_memlimit", ADMIN.mask(), On.CACHE),
          new Requirement("lru_crawler", BULK_READ.mask(), On.CACHE),
          new Requirement("lru", LOGGED_IN, On.SERVER),
          new Requirement("slabs", LOGGED_IN, On.SERVER),
          new Requirement("watch", LISTEN.mask(), On.CACHE),
          new Requirement("shutdown", LOGGED_IN, On.SERVER),
          new Requirement("version", LOGGED_IN, On.SERVER),
          new Requirement("verbosity", LOGGED_IN, On.SERVER),
          new Requirement("mn", LOGGED_IN, On.SERVER),
          new Requirement("quit", PUBLIC, On.SERVER),
          new Requirement("unknown", LOGGED_IN, On.SERVER));

  private static final Map<String, Requirement> REST =
      byName(RestRequirements.ALL.toArray(Requirement[]::new));

  static {
    Arrays.fill(HOT_ROD, ADMIN.mask());
    fillEntries();
    fillOthers();
    fillCounters();
    fillTransactions();
  }

  private Requirements() {}

  private static Map<String, Requirement> byName(Requirement... rows) {
    Map<String, Requirement> byName = new LinkedHashMap<>();
    for (Requirement row : rows) {
      if (byName.put(row.request(), row) != null) {
        throw new IllegalStateException("two lines for one request: request=" + row.request());
      }
    }
    return Collections.unmodifiableMap(byName);
  }

  private static void need(On on, int needed, int... operations) {
    for (int operation : operations) {
      HOT_ROD[operation] = needed;
      OPERATIONS.put(operation, new Requirement(Opcodes.describe(operation), needed, on));
    }
  }

  private static void fillEntries() {
    need(
        On.CACHE,
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
        On.CACHE,
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
        On.CACHE,
        BULK_READ.mask(),
        Opcodes.BULK_GET,
        Opcodes.BULK_GET_KEYS,
        Opcodes.SIZE,
        Opcodes.SIZE_MULTIMAP,
        Opcodes.GET_ALL,
        Opcodes.ITERATION_START,
        Opcodes.ITERATION_NEXT,
        Opcodes.ITERATION_END);
    need(On.CACHE, BULK_WRITE.mask(), Opcodes.PUT_ALL, Opcodes.CLEAR);
  }

  private static void fillOthers() {
    // The name of a task determines its requirement.
    need(On.SERVER, LOGGED_IN, Opcodes.EXEC);
    need(On.SERVER, PUBLIC, Opcodes.PING, Opcodes.AUTH_MECH_LIST, Opcodes.AUTH);
    need(On.CACHE, MONITOR.mask(), Opcodes.STATS);
    need(
        On.CACHE,
        LISTEN.mask(),
        Opcodes.ADD_CLIENT_LISTENER,
        Opcodes.REMOVE_CLIENT_LISTENER,
        Opcodes.ADD_BLOOM_LISTENER,
        Opcodes.UPDATE_BLOOM_FILTER);
  }

  private static void fillCounters() {
    need(On.SERVER, CREATE.mask(), Opcodes.COUNTER_CREATE, Opcodes.COUNTER_REMOVE);
    need(
        On.SERVER,
        READ.mask(),
        Opcodes.COUNTER_GET,
        Opcodes.COUNTER_GET_CONFIGURATION,
        Opcodes.COUNTER_IS_DEFINED,
        Opcodes.COUNTER_GET_NAMES);
    need(
        On.SERVER,
        WRITE.mask(),
        Opcodes.COUNTER_ADD_AND_GET,
        Opcodes.COUNTER_RESET,
        Opcodes.COUNTER_COMPARE_AND_SWAP,
        Opcodes.COUNTER_GET_AND_SET);
    need(On.SERVER, LISTEN.mask(), Opcodes.COUNTER_ADD_LISTENER, Opcodes.COUNTER_REMOVE_LISTENER);
  }

  /** Transactions are not supported; so the answer is an error for every caller. */
  private static void fillTransactions() {
    need(
        On.SERVER,
        ADMIN.mask(),
        Opcodes.QUERY,
        Opcodes.PREPARE_TX,
        Opcodes.PREPARE_TX_2,
        Opcodes.COMMIT_TX,
        Opcodes.ROLLBACK_TX,
        Opcodes.FORGET_TX,
        Opcodes.FETCH_IN_DOUBT_TX);
  }

  /**
   * The requirement of a Hot Rod operation.
   *
   * @param operation 0 to 255
   */
  public static int hotRod(int operation) {
    return HOT_ROD[operation];
  }

  /** All Hot Rod operations with a line, by their numbers, in ascending order. */
  public static Map<Integer, Requirement> hotRod() {
    return Collections.unmodifiableMap(OPERATIONS);
  }

  /** The requirement of a task of Hot Rod's exec. Deployed tasks need EXEC. */
  public static int task(String name) {
    Requirement row = TASKS.get(name);
    if (row != null) {
      return row.needed();
    }
    return name.startsWith("@@") ? ADMIN.mask() : DEPLOYED.needed();
  }

  /** All tasks of Hot Rod's exec with a line, and the line for all others. */
  public static List<Requirement> tasks() {
    return Stream.concat(TASKS.values().stream(), Stream.of(DEPLOYED)).toList();
  }

  /** The requirement of a memcached command. */
  public static int memcached(String word) {
    Requirement row = MEMCACHED.get(word.toLowerCase(Locale.ROOT));
    return row == null ? ADMIN.mask() : row.needed();
  }

  /** All memcached commands with a line, by their words. */
  public static Map<String, Requirement> memcached() {
    return MEMCACHED;
  }

  /** The requirement of reading an entry by REST. */
  public static int restRead() {
    return READ.mask();
  }

  /** The requirement of writing an entry by REST. */
  public static int restWrite() {
    return WRITE.mask();
  }

  /**
   * The requirement of an administrative request of REST.
   *
   * @param verb the method
   * @param pattern the segments of the path; {@code *} stands for any segment
   * @param action the action, or empty for none
   */
  public static Requirement rest(String verb, List<String> pattern, String action) {
    String request = RestRequirements.request(verb, pattern, action);
    Requirement row = REST.get(request);
    return row == null ? new Requirement(request, ADMIN.mask(), On.SERVER) : row;
  }

  /** All requests of REST with a line, by {@code METHOD /path?action=...}. */
  public static Map<String, Requirement> rest() {
    return REST;
  }

  // ---- internal caches

  /**
   * The permissions of roles on a cache, given their permissions on users' caches: fewer on the
   * caches of the server itself. Schemas are read as other entries, and written with the permission
   * to create caches. Everything else is for administrators.
   *
   * @param cacheName the cache's own name, not an alias
   * @param mask the permissions on users' caches
   */
  static int permitted(String cacheName, int mask) {
    if (!InternalCaches.isReserved(cacheName)) {
      return mask;
    }
    if (!cacheName.equals(InternalCaches.SCHEMAS)) {
      return (mask & ADMIN.mask()) != 0 ? mask : 0;
    }
    int writes = Permission.ALL_WRITE.mask();
    return (mask & CREATE.mask()) != 0 ? mask | writes : mask & ~writes;
  }

  /**
   * The permissions that a refused caller lacks on a cache, for messages.
   *
   * @param cacheName the cache's own name, not an alias
   * @param needed the permissions that the request needs on users' caches
   */
  public static int needed(String cacheName, int needed) {
    if (!InternalCaches.isReserved(cacheName)) {
      return needed;
    }
    if (!cacheName.equals(InternalCaches.SCHEMAS)) {
      return ADMIN.mask();
    }
    int writes = Permission.ALL_WRITE.mask();
    return (needed & writes) == 0 ? needed : (needed & ~writes) | CREATE.mask();
  }
}
