package dev.isogrid.server.net;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.server.security.AccessRefused;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.Permission;
import java.util.List;

/**
 * Changes caches for one caller, as far as the caller may. All protocols administer caches by it.
 * To create, update or remove a cache takes {@link Permission#CREATE} for the server, and for the
 * cache if it exists. To set a single attribute or an alias takes {@link Permission#ADMIN} for
 * both, and so does an alias in a document that stands for another cache, for that cache as well.
 * Thread-safe; methods block, and throw {@link AccessRefused} where a permission is missing.
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
   * As {@link #getOrCreate}, but a cache that exists stays as it is, with its aliases.
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
   * Creates a cache, or changes what can be changed of the existing one, and gives it its aliases.
   *
   * @param isVolatile whether a new one ends with the server
   * @throws dev.isogrid.api.InvalidRequestException if it differs in something that can't be
   *     changed; the message names it
   */
  public void createOrUpdate(String name, NamedCacheConfig wanted, boolean isVolatile) {
    check(Permission.CREATE, name, "update of");
    checkAliases(name, wanted.aliases());
    if (!tryCreate(name, wanted.config(), isVolatile)) {
      check(Permission.CREATE, name, "update of"); // another client may have created it meanwhile
      catalog.updateTo(name, wanted.config());
    }
    assignAliases(name, wanted.aliases());
  }

  private boolean tryCreate(String name, CacheConfig config, boolean isVolatile) {
    return isVolatile
        ? catalog.getOrCreateVolatile(name, config)
        : catalog.getOrCreatePermanent(name, config);
  }

  /**
   * Removes a cache.
   *
   * @return whether it existed
   */
  public boolean remove(String name) {
    check(Permission.CREATE, name, "removal of");
    return catalog.remove(name);
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
  }

  /**
   * Makes an alias stand for a cache, whatever it stood for before.
   *
   * @param name the cache's, or another alias of it
   * @throws dev.isogrid.api.InvalidRequestException if there is no such cache, or the alias is the
   *     name of one
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
   * An alias of another cache takes an administrator, of that cache and of the one that gets it.
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
   * Refuses what the caller may not do.
   *
   * @param name of the cache that permits it too, if it exists
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
