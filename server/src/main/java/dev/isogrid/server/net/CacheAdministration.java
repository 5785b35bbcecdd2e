package dev.isogrid.server.net;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.server.security.AccessRefused;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.Permission;
import java.util.List;

/**
 * Changes caches on behalf of one caller, within the caller's permissions. All protocols administer
 * caches through it. When a cache was created, changed or removed, all servers of the cluster know
 * that, but for those that don't answer. Creating, updating and removing a cache needs {@link
 * Permission#CREATE} for the server, and for the cache if it exists. Setting a single attribute or
 * an alias needs {@link Permission#ADMIN} for both. An alias in a document that belongs to another
 * cache needs it for that cache, too. Thread-safe; methods block, and throw {@link AccessRefused}
 * for a missing permission.
 */
public final class CacheAdministration {
  private final CacheCatalog catalog;
  private final Caller caller;

  /** Creates the administration of a caller. */
  public CacheAdministration(CacheCatalog catalog, Caller caller) {
    this.catalog = catalog;
    this.caller = caller;
  }

  /**
   * Creates a cache with its aliases; one that exists keeps its configuration.
   *
   * @param isVolatile whether it ends with the server
   * @return whether the cache was created by this call
   * @throws dev.isogrid.api.InvalidRequestException if name, alias or configuration are not allowed
   */
  public boolean getOrCreate(String name, NamedCacheConfig wanted, boolean isVolatile) {
    check(Permission.CREATE, name, "creation of");
    checkAliases(name, wanted.aliases());
    boolean created = tryCreate(name, wanted.config(), isVolatile);
    if (!created) {
      check(Permission.CREATE, name, "creation of"); // another client may have been faster
    }
    assignAliases(name, wanted.aliases());
    return created;
  }

  /**
   * As {@link #getOrCreate}, but an existing cache keeps its configuration and aliases.
   *
   * @return false if the cache exists
   */
  public boolean create(String name, NamedCacheConfig wanted, boolean isVolatile) {
    check(Permission.CREATE, name, "creation of");
    checkAliases(name, wanted.aliases());
    boolean created = tryCreate(name, wanted.config(), isVolatile);
    if (created) {
      assignAliases(name, wanted.aliases());
    }
    return created;
  }

  /**
   * Creates a cache, or changes the mutable attributes of the existing one, and sets its aliases.
   *
   * @param isVolatile whether a new one ends with the server
   * @throws dev.isogrid.api.InvalidRequestException if an immutable attribute differs; the message
   *     names it
   */
  public void createOrUpdate(String name, NamedCacheConfig wanted, boolean isVolatile) {
    check(Permission.CREATE, name, "update of");
    checkAliases(name, wanted.aliases());
    if (!tryCreate(name, wanted.config(), isVolatile)) {
      check(Permission.CREATE, name, "update of"); // another client may have created it meanwhile
      catalog.updateTo(name, wanted.config());
      catalog.awaitChangedEverywhere(name);
    }
    assignAliases(name, wanted.aliases());
  }

  private boolean tryCreate(String name, CacheConfig config, boolean isVolatile) {
    boolean created =
        isVolatile
            ? catalog.getOrCreateVolatile(name, config)
            : catalog.getOrCreatePermanent(name, config);
    catalog.awaitEverywhere(name); // also if another client was faster, since this one uses it next
    return created;
  }

  /**
   * Removes a cache.
   *
   * @return whether it existed
   */
  public boolean remove(String name) {
    check(Permission.CREATE, name, "removal of");
    boolean removed = catalog.remove(name);
    catalog.awaitEverywhere(name);
    return removed;
  }

  /**
   * Changes an attribute of a cache.
   *
   * @param attribute one of {@link dev.isogrid.config.MutableAttributes}
   * @throws dev.isogrid.api.InvalidRequestException if there is no such cache, or the attribute
   *     can't be changed
   */
  public void updateAttribute(String name, String attribute, String value) {
    String own = catalog.ownName(name);
    check(Permission.ADMIN, own, "update of");
    catalog.updateAttribute(own, attribute, value);
    catalog.awaitChangedEverywhere(own);
  }

  /**
   * Assigns an alias to a cache, replacing an earlier assignment.
   *
   * @param name the cache's, or another alias of it
   * @throws dev.isogrid.api.InvalidRequestException if there is no such cache, or the alias is the
   *     name of a cache
   */
  public void assignAlias(String alias, String name) {
    String own = catalog.ownName(name);
    check(Permission.ADMIN, own, "new alias of");
    checkTaking(alias, own);
    catalog.assignAlias(alias, own);
  }

  private void checkAliases(String name, List<String> aliases) {
    for (String alias : aliases) {
      catalog.checkAlias(alias);
      checkTaking(alias, name);
    }
  }

  /**
   * Checks the permission for an alias of another cache: {@code ADMIN} for that cache and the new
   * one.
   */
  private void checkTaking(String alias, String name) {
    String owner = catalog.aliased(alias);
    if (owner != null && !owner.equals(name)) {
      check(Permission.ADMIN, owner, "removal of alias %s from".formatted(alias));
      check(Permission.ADMIN, name, "new alias of");
    }
  }

  private void assignAliases(String name, List<String> aliases) {
    for (String alias : aliases) {
      if (!catalog.tryAlias(alias, name)) {
        assignAlias(alias, name);
      }
    }
  }

  /**
   * Refuses an operation without the permission.
   *
   * @param name of the cache that must permit it too, if it exists
   */
  private void check(Permission needed, String name, String what) {
    String own = catalog.ownName(name);
    CacheConfig config = catalog.config(own);
    boolean isPermitted =
        caller.server().allows(needed.mask())
            && (config == null || caller.cache(own, config).allows(needed.mask()));
    if (!isPermitted) {
      throw caller.refusal(needed.mask(), "%s cache %s".formatted(what, name));
    }
  }
}
