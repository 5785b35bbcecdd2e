package dev.isogrid.server.net;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.config.CacheTemplates;
import dev.isogrid.config.NamedCacheConfig;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The templates for clients: those of the server's configuration and those of clients, which all
 * servers of the cluster share, beside the {@link CacheTemplates}. Thread-safe; methods that change
 * something block.
 */
public final class TemplateCatalog {
  private final SharedSettings settings;
  private final Map<String, CacheConfig> own;

  TemplateCatalog(SharedSettings settings, Map<String, CacheConfig> own) {
    this.settings = settings;
    this.own = Map.copyOf(own);
  }

  /** All templates except the built-in ones, by their names, sorted. */
  public Map<String, CacheConfig> all() {
    Map<String, CacheConfig> templates = new TreeMap<>(settings.templates());
    templates.putAll(own);
    return templates;
  }

  /**
   * A template, built-in or not.
   *
   * @throws InvalidRequestException if there is none of the name
   */
  public CacheConfig template(String name) {
    CacheConfig template = all().get(name);
    return template == null ? CacheTemplates.template(name) : template;
  }

  /**
   * Adds a template, on all servers.
   *
   * @param isVolatile whether it ends with the servers even if they have data directories
   * @throws InvalidRequestException if the name exists, or is not allowed
   */
  public void create(String name, CacheConfig config, boolean isVolatile) {
    NamedCacheConfig checked = new NamedCacheConfig(name, config, List.of());
    boolean isNew =
        !own.containsKey(name)
            && !CacheTemplates.names().contains(name)
            && settings.addTemplate(name, checked.config(), isVolatile);
    if (!isNew) {
      throw new InvalidRequestException(
          "template already exists: template=%s; choose another name or remove it first"
              .formatted(name));
    }
  }

  /**
   * Removes a template of a client; returns whether it existed. Caches that were made from it stay.
   *
   * @throws InvalidRequestException if it is not one of a client
   */
  public boolean remove(String name) {
    if (own.containsKey(name) || CacheTemplates.names().contains(name)) {
      throw new InvalidRequestException(
          "template can't be removed: template=%s; it is built in or configured".formatted(name));
    }
    return settings.removeTemplate(name);
  }
}
