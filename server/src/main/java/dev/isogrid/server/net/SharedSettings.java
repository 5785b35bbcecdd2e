package dev.isogrid.server.net;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.ReadContext;
import dev.isogrid.node.Node;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the servers of a cluster have to agree on beside the caches themselves: templates, aliases,
 * which caches are permanent, and what was changed of them since they began. Thread-safe; methods
 * that change something block.
 *
 * <pre>
 * template:NAME            configuration; kept in a data directory
 * volatile-template:NAME   configuration
 * alias:NAME               the name of a cache; kept
 * cache:NAME               state of a cache of the cluster
 * removed:NAME             nothing: a permanent cache of that name was removed
 * </pre>
 */
final class SharedSettings {
  private static final String CACHE = "org.infinispan.CONFIG";
  private static final String TEMPLATE = "template:";
  private static final String VOLATILE_TEMPLATE = "volatile-template:";
  private static final String ALIAS = "alias:";
  private static final String STATE = "cache:";
  private static final String REMOVED = "removed:";

  /**
   * What is known of a cache of the cluster.
   *
   * @param id which of the caches that have or had the name
   * @param isPermanent whether its configuration is to be kept
   * @param config as it is now
   */
  record State(int id, boolean isPermanent, CacheConfig config) {}

  private final SharedTexts texts;

  SharedSettings(Node node, @Nullable KeptMap kept, Runnable whenChanged) {
    this.texts = new SharedTexts(node, CACHE, kept, SharedSettings::isKept, whenChanged);
  }

  private static boolean isKept(String name) {
    return name.startsWith(TEMPLATE) || name.startsWith(ALIAS);
  }

  void begin() {
    texts.begin();
  }

  /** Calls back as after a change: soon, and again until that succeeds. */
  void followLater() {
    texts.followLater();
  }

  /** Whether there is something to ask. */
  boolean isBegun() {
    return texts.isBegun();
  }

  /** A number that is another one after each change. */
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

  /** Adds a template on all servers; false if there is one of the name. */
  boolean addTemplate(String name, CacheConfig config, boolean isVolatile) {
    String other = (isVolatile ? TEMPLATE : VOLATILE_TEMPLATE) + name;
    boolean isAdded =
        texts.get(other) == null
            && texts.putIfAbsent((isVolatile ? VOLATILE_TEMPLATE : TEMPLATE) + name, write(config));
    texts.awaitHeard();
    return isAdded;
  }

  /** Removes a template on all servers; whether there was one. */
  boolean removeTemplate(String name) {
    boolean removed = texts.remove(TEMPLATE + name);
    removed |= texts.remove(VOLATILE_TEMPLATE + name);
    texts.awaitHeard();
    return removed;
  }

  /** The name of the cache that an alias stands for, or null. */
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

  /** Makes an alias stand for a cache on all servers, whatever it stood for before. */
  void alias(String alias, String cache) {
    texts.put(ALIAS + alias, cache);
    texts.awaitHeard();
  }

  /** Makes an alias stand for a cache on all servers; false if it stands for one. */
  boolean tryAlias(String alias, String cache) {
    boolean isNew = texts.putIfAbsent(ALIAS + alias, cache);
    texts.awaitHeard(); // also if another caller was first, since this one reads it next
    return isNew;
  }

  /** The names of the caches that something is known of. */
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

  /** What is known of a cache, or null. */
  @Nullable State state(String cache) {
    String text = texts.get(STATE + cache);
    if (text == null) {
      return null;
    }
    String[] parts = text.split("\n", 3);
    return new State(Integer.parseInt(parts[0]), parts[1].equals("permanent"), read(parts[2]));
  }

  /** Tells all servers of a cache. */
  void state(String cache, State state) {
    String life = state.isPermanent() ? "permanent" : "volatile";
    texts.put(STATE + cache, state.id() + "\n" + life + "\n" + write(state.config()));
    if (state.isPermanent()) {
      texts.remove(REMOVED + cache);
    }
  }

  /** Forgets a cache and its aliases. */
  void removed(String cache) {
    State state = state(cache);
    if (state != null && state.isPermanent()) {
      texts.put(REMOVED + cache, "");
    }
    texts.remove(STATE + cache);
    aliases()
        .forEach((alias, of) -> {
          if (of.equals(cache)) {
            texts.remove(ALIAS + alias);
          }
        });
  }

  /** Whether a permanent cache of this name was removed while other servers were there. */
  boolean wasRemoved(String cache) {
    return texts.get(REMOVED + cache) != null;
  }
}
