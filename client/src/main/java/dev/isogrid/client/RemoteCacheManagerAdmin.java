package dev.isogrid.client;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and removes the caches of the servers. Immutable and thread-safe; each method is
 * a round trip. They throw {@link ServerErrorException} if the servers refuse. Changes are sent
 * once: when their connection is lost they fail, and may have been made or not.
 */
public final class RemoteCacheManagerAdmin {
  private final RemoteCacheManager manager;
  private final Router router;
  private final RequestFormat format;
  private final Set<AdminFlag> flags;

  RemoteCacheManagerAdmin(
      RemoteCacheManager manager, Router router, RequestFormat format, Set<AdminFlag> flags) {
    this.manager = manager;
    this.router = router;
    this.format = format;
    this.flags = flags;
  }

  /** The same with these flags besides. */
  public RemoteCacheManagerAdmin withFlags(AdminFlag... more) {
    EnumSet<AdminFlag> all = EnumSet.noneOf(AdminFlag.class);
    all.addAll(flags);
    all.addAll(Arrays.asList(Objects.requireNonNull(more, "more")));
    return new RemoteCacheManagerAdmin(manager, router, format, Set.copyOf(all));
  }

  /** Builds the parameters of a task; without flags if there are none, as older servers want. */
  private Map<String, String> parameters(String name) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("name", Objects.requireNonNull(name, "name"));
    if (!flags.isEmpty()) {
      parameters.put(
          "flags", flags.stream().map(Enum::name).sorted().collect(Collectors.joining(",")));
    }
    return parameters;
  }

  private void change(String task, Map<String, String> parameters) {
    router.call(new ExecOperation(format, task, parameters, false));
  }

  private <K, V> RemoteCache<K, V> create(String task, Map<String, String> parameters) {
    change(task, parameters);
    String name = Objects.requireNonNull(parameters.get("name"));
    RemoteCache<K, V> created = manager.getCache(name);
    if (created == null) {
      throw new HotRodClientException("created, but gone again: cache=" + name);
    }
    return created;
  }

  private Map<String, String> described(
      String name, @Nullable String template, @Nullable StringConfiguration configuration) {
    Map<String, String> parameters = parameters(name);
    if (template != null) {
      parameters.put("template", template);
    }
    if (configuration != null) {
      parameters.put("configuration", configuration.text());
    }
    return parameters;
  }

  // ---- caches ---------------------------------------------------------------------------------

  /**
   * Creates a cache.
   *
   * @param template the name of a template, or null for the servers' default
   * @throws ServerErrorException if there is a cache of this name
   */
  public <K, V> RemoteCache<K, V> createCache(String name, @Nullable String template) {
    return create("@@cache@create", described(name, template, null));
  }

  /**
   * Creates a cache by a document with its configuration.
   *
   * @throws ServerErrorException if there is a cache of this name
   */
  public <K, V> RemoteCache<K, V> createCache(String name, StringConfiguration configuration) {
    return create(
        "@@cache@create",
        described(name, null, Objects.requireNonNull(configuration, "configuration")));
  }

  /** As {@link #createCache(String, String)}; a cache of this name stays as it is. */
  public <K, V> RemoteCache<K, V> getOrCreateCache(String name, @Nullable String template) {
    return create("@@cache@getorcreate", described(name, template, null));
  }

  /** As {@link #createCache(String, StringConfiguration)}; a cache of this name stays as it is. */
  public <K, V> RemoteCache<K, V> getOrCreateCache(String name, StringConfiguration configuration) {
    return create(
        "@@cache@getorcreate",
        described(name, null, Objects.requireNonNull(configuration, "configuration")));
  }

  /** Removes a cache with all its entries; does nothing if there is none. */
  public void removeCache(String name) {
    Map<String, String> parameters = parameters(name);
    // A server ends connections with a listener to a cache that is removed, and other requests of
    // this client with them.
    Answers.awaitAll(manager.forget(name).handle((done, cause) -> ""));
    change("@@cache@remove", parameters);
    manager.forget(name);
  }

  /**
   * Changes an attribute of a cache, if it is one that can be changed.
   *
   * @param attribute its path, such as {@code memory.max-count}
   */
  public void updateConfigurationAttribute(String name, String attribute, String value) {
    Map<String, String> parameters = parameters(name);
    parameters.put("attribute", Objects.requireNonNull(attribute, "attribute"));
    parameters.put("value", Objects.requireNonNull(value, "value"));
    change("@@cache@updateConfigurationAttribute", parameters);
  }

  /** Lets a cache have another name besides; takes it from the cache that had it. */
  public void assignAlias(String alias, String cacheName) {
    change(
        "@@cache@assignAlias",
        Map.of(
            "name",
            Objects.requireNonNull(cacheName, "cacheName"),
            "alias",
            Objects.requireNonNull(alias, "alias")));
    manager.forget(alias);
  }

  /** The names of the caches, sorted. */
  public Set<String> getCacheNames() {
    return names("@@cache@names");
  }

  // ---- templates ------------------------------------------------------------------------------

  /** Creates a template for caches. */
  public void createTemplate(String name, StringConfiguration configuration) {
    change(
        "@@template@create",
        described(name, null, Objects.requireNonNull(configuration, "configuration")));
  }

  /** Removes a template; the caches that were made by it stay. */
  public void removeTemplate(String name) {
    change("@@template@remove", parameters(name));
  }

  /** The names of the templates, sorted. */
  public Set<String> getTemplateNames() {
    return names("@@cache@templates");
  }

  private Set<String> names(String task) {
    ExecOperation request = new ExecOperation(format, task, Map.of(), true);
    List<String> names = NameList.read(router.call(request));
    return new TreeSet<>(names);
  }
}
