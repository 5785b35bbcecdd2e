package dev.isogrid.server.net;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.ReadContext;
import dev.isogrid.node.Node;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The settings that the servers of a cluster share beside the caches themselves: templates,
 * aliases, the permanent, ignored and removed caches, and changes of configurations. Thread-safe;
 * methods that change something block.
 *
 * <pre>
 * template:NAME            configuration; kept in a data directory
 * volatile-template:NAME   configuration
 * alias:NAME               the name of a cache; kept
 * cache:NAME               state of a cache of the cluster
 * ignored:NAME             empty: clients can't reach the cache; kept
 * removed:NAME             the number of a permanent cache of that name, which was removed
 * dropped:NAME             empty: a client removed the built-in cache of that name; kept
 * configured:NAME          digest of the last document of a configuration file that was applied
 * </pre>
 */
final class SharedSettings {
  private static final String CACHE = "org.infinispan.CONFIG";
  private static final String TEMPLATE = "template:";
  private static final String VOLATILE_TEMPLATE = "volatile-template:";
  private static final String ALIAS = "alias:";
  private static final String STATE = "cache:";
  private static final String IGNORED = "ignored:";
  private static final String REMOVED = "removed:";
  private static final String DROPPED = "dropped:";
  private static final String CONFIGURED = "configured:";

  /** The most removals that are remembered, for servers that were not there. */
  static final int REMOVED_MAX = 1000;

  /**
   * The state of a cache of the cluster.
   *
   * @param id distinguishes caches that have or had the same name
   * @param isPermanent whether its configuration is stored
   * @param config the present configuration
   */
  record State(int id, boolean isPermanent, CacheConfig config) {}

  private final SharedTexts texts;

  SharedSettings(Node node, @Nullable KeptMap kept, Runnable whenChanged) {
    this.texts = new SharedTexts(node, CACHE, kept, SharedSettings::isKept, whenChanged);
  }

  private static boolean isKept(String name) {
    return name.startsWith(TEMPLATE)
        || name.startsWith(ALIAS)
        || name.startsWith(IGNORED)
        || name.startsWith(DROPPED);
  }

  void begin() {
    texts.begin();
  }

  /** Calls back as after a change: soon, and repeatedly until that succeeds. */
  void followLater() {
    texts.followLater();
  }

  /**
   * Waits until all servers have all changes before this call. Blocks.
   *
   * @throws dev.isogrid.api.IndeterminateGridException if a server does not confirm in time
   */
  void awaitHeard() {
    texts.awaitHeard();
  }

  /** Whether the settings were loaded. */
  boolean isBegun() {
    return texts.isBegun();
  }

  /** A number that changes with each change of the settings. */
  long version() {
    return texts.version();
  }

  /** The templates that clients made, by their names. */
  Map<String, CacheConfig> templates() {
    Map<String, CacheConfig> templates = new TreeMap<>();
    texts
        .all()
        .forEach((name, document) -> {
          if (name.startsWith(TEMPLATE)) {
            templates.put(name.substring(TEMPLATE.length()), read(document));
          } else if (name.startsWith(VOLATILE_TEMPLATE)) {
            templates.put(name.substring(VOLATILE_TEMPLATE.length()), read(document));
          }
        });
    return templates;
  }

  private static CacheConfig read(String document) {
    ReadContext context = ReadContext.empty().withFolders(); // written by a server
    return CacheDocument.read(document, DocumentFormat.JSON, context).config();
  }

  private static String write(CacheConfig config) {
    return CacheDocument.write(null, config, DocumentFormat.JSON);
  }

  /** Adds a template on all servers; returns false if there is one of the name. */
  boolean addTemplate(String name, CacheConfig config, boolean isVolatile) {
    String other = (isVolatile ? TEMPLATE : VOLATILE_TEMPLATE) + name;
    boolean isAdded =
        texts.get(other) == null
            && texts.putIfAbsent((isVolatile ? VOLATILE_TEMPLATE : TEMPLATE) + name, write(config));
    texts.awaitHeard();
    return isAdded;
  }

  /** Removes a template on all servers; returns whether it existed. */
  boolean removeTemplate(String name) {
    boolean removed = texts.remove(TEMPLATE + name);
    removed |= texts.remove(VOLATILE_TEMPLATE + name);
    texts.awaitHeard();
    return removed;
  }

  /** The name of the cache of an alias, or null. */
  @Nullable String aliased(String alias) {
    return texts.get(ALIAS + alias);
  }

  /** All aliases with the names of their caches. */
  Map<String, String> aliases() {
    Map<String, String> aliases = new TreeMap<>();
    texts
        .all()
        .forEach((name, cache) -> {
          if (name.startsWith(ALIAS)) {
            aliases.put(name.substring(ALIAS.length()), cache);
          }
        });
    return aliases;
  }

  /** Assigns an alias to a cache on all servers, replacing an earlier assignment. */
  void alias(String alias, String cache) {
    texts.put(ALIAS + alias, cache);
    texts.awaitHeard();
  }

  /** Assigns an alias to a cache on all servers; returns false if it is assigned already. */
  boolean tryAlias(String alias, String cache) {
    boolean isNew = texts.putIfAbsent(ALIAS + alias, cache);
    texts.awaitHeard(); // also if another caller was first, since this one reads it next
    return isNew;
  }

  /** The names of the caches that clients can't reach. */
  Set<String> ignored() {
    Set<String> ignored = new TreeSet<>();
    for (String name : texts.all().keySet()) {
      if (name.startsWith(IGNORED)) {
        ignored.add(name.substring(IGNORED.length()));
      }
    }
    return ignored;
  }

  /** Hides a cache from the clients of all servers. */
  void ignore(String cache) {
    texts.put(IGNORED + cache, "");
    texts.awaitHeard();
  }

  /** Ends the hiding of a cache from the clients of all servers. */
  void unignore(String cache) {
    texts.remove(IGNORED + cache);
    texts.awaitHeard();
  }

  /** The states of all caches of the settings, by name. */
  Map<String, State> states() {
    Map<String, State> states = new TreeMap<>();
    for (String name : texts.all().keySet()) {
      if (name.startsWith(STATE)) {
        String cache = name.substring(STATE.length());
        State state = state(cache);
        if (state != null) {
          states.put(cache, state);
        }
      }
    }
    return states;
  }

  /** The state of a cache, or null. */
  @Nullable State state(String cache) {
    String text = texts.get(STATE + cache);
    if (text == null) {
      return null;
    }
    String[] parts = text.split("\n", 3);
    return new State(Integer.parseInt(parts[0]), parts[1].equals("permanent"), read(parts[2]));
  }

  /** Publishes the state of a cache to all servers. */
  void state(String cache, State state) {
    String life = state.isPermanent() ? "permanent" : "volatile";
    texts.put(STATE + cache, state.id() + "\n" + life + "\n" + write(state.config()));
    if (state.isPermanent()) {
      texts.remove(REMOVED + cache);
    }
  }

  /** Removes a cache and its aliases from the settings. */
  void removed(String cache) {
    State state = state(cache);
    if (state != null && state.isPermanent()) {
      forgetOldRemovals();
      texts.put(REMOVED + cache, Integer.toString(state.id()));
    }
    texts.remove(STATE + cache);
    texts.remove(IGNORED + cache);
    texts.remove(CONFIGURED + cache);
    aliases()
        .forEach((alias, of) -> {
          if (of.equals(cache)) {
            texts.remove(ALIAS + alias);
          }
        });
  }

  /** Makes room for one more removal: caches with lower numbers are older. */
  private void forgetOldRemovals() {
    Map<String, String> removals = texts.all();
    removals.keySet().removeIf(name -> !name.startsWith(REMOVED));
    removals.keySet().stream()
        .sorted(Comparator.comparingInt(name -> number(removals.getOrDefault(name, ""))))
        .limit(Math.max(0, removals.size() - REMOVED_MAX + 1))
        .forEach(texts::remove);
  }

  private static int number(String text) {
    return text.isEmpty() ? 0 : Integer.parseInt(text); // older servers write nothing
  }

  /** Notes that a client removed a built-in cache, so that no server makes it again. */
  void drop(String cache) {
    texts.put(DROPPED + cache, "");
    texts.awaitHeard();
  }

  /** Notes that a cache exists again. */
  void undrop(String cache) {
    if (wasDropped(cache)) {
      texts.remove(DROPPED + cache);
      texts.awaitHeard();
    }
  }

  /** Whether a client removed the built-in cache of this name. */
  boolean wasDropped(String cache) {
    return texts.get(DROPPED + cache) != null;
  }

  /** The digest of the document that a configuration file had last for a cache, or null. */
  @Nullable String configured(String cache) {
    return texts.get(CONFIGURED + cache);
  }

  /** Notes the digest of a cache's document in a configuration file. */
  void configured(String cache, String digest) {
    texts.put(CONFIGURED + cache, digest);
  }

  /** Whether the cluster removed a permanent cache of this name. */
  boolean wasRemoved(String cache) {
    return texts.get(REMOVED + cache) != null;
  }
}
