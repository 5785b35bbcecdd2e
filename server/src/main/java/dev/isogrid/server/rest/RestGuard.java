package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.CacheAdministration;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Access;
import dev.isogrid.server.security.AccessRefused;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.HttpLogin;
import dev.isogrid.server.security.Identity;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Requirements;
import dev.isogrid.server.security.VouchedCaller;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whose the requests of a connection are, and whether they may be made. For one thread at
 * a time, as the connection.
 */
final class RestGuard {
  private static final AsciiString CHALLENGE = AsciiString.cached("WWW-Authenticate: ");

  private final ServerContext server;
  private final Caller caller;
  private final HttpLogin login;

  RestGuard(ServerContext server, Channel channel) {
    this.server = server;
    this.caller = server.security().newCaller(channel, "REST");
    this.login = new HttpLogin(caller);
  }

  /** Whether clients have to log in. */
  boolean isRestricted() {
    return !caller.isUnrestricted();
  }

  /** Whether the client has to log in and has not. */
  boolean isStranger() {
    return !caller.isUnrestricted() && caller.identity() == null;
  }

  /** Whether finding out whose a request is may take long. */
  boolean mustWait(RequestHeaders headers) {
    return !caller.isUnrestricted() && login.takesLong(headers.authorization);
  }

  /**
   * Finds out whose a request is.
   *
   * @throws AccessRefused if the login that it holds is not right
   */
  void identify(HttpRequest head, RequestHeaders headers) {
    if (!caller.isUnrestricted()) {
      login.check(headers.authorization, head.method().name(), head.uri());
    }
  }

  /**
   * What the caller may do with a cache.
   *
   * @param name the cache's own, not an alias
   */
  Access cache(String name, CacheConfig config) {
    return caller.cache(name, config);
  }

  /**
   * The cache that a request names, by its own name or an alias.
   *
   * @param needed what the caller must be permitted on it
   * @throws RestProblem if there is none
   * @throws AccessRefused if the caller may not make the request
   */
  CacheEngine<BinaryKey, Bytes> cache(AdminRequest request, int needed) {
    CacheEngine<BinaryKey, Bytes> cache = server.engine(request.cacheName());
    if (cache == null) {
      throw RestProblem.noSuchCache(request.cacheName());
    }
    if (!caller.cache(cache.name(), cache.config()).allows(needed)) {
      throw caller.refusal(Requirements.needed(cache.name(), needed), request.describe());
    }
    return cache;
  }

  /** Changes caches as far as the caller may. */
  CacheAdministration administration() {
    return new CacheAdministration(server.catalog(), caller);
  }

  /**
   * Lets a request pass that only some may make.
   *
   * @param role that the caller must have; null if none
   * @throws AccessRefused if the caller does not have it
   */
  void checkRole(@Nullable String role, AdminRequest request) {
    if (role != null && !caller.hasRole(role)) {
      throw caller.refusalWithoutRole(role, request.describe());
    }
  }

  /** What this server says to others of the caller. */
  @Nullable VouchedCaller vouched() {
    return caller.vouched();
  }

  /** What to answer to a request that the caller may not make. */
  AccessRefused refusal(int needed, String request) {
    return caller.refusal(needed, request);
  }

  /**
   * Lets a request of anyone who has logged in pass.
   *
   * @throws AccessRefused if nobody has
   */
  void checkLoggedIn(String request) {
    if (!caller.server().allows(Permission.LOGGED_IN)) {
      throw caller.refusal(Permission.LOGGED_IN, request);
    }
  }

  /** Whether a request needs no login: then what it says of one is not looked at. */
  static boolean isPublic(@Nullable Route route) {
    return route != null && route.needed() == Permission.PUBLIC;
  }

  /**
   * Lets an administrative request pass. Strangers are refused before any cache is looked up, so
   * that they don't learn by the answer whether it exists.
   *
   * @param route null for one that is answered with an error in any case
   * @throws RestProblem if the request is about a cache that does not exist
   * @throws AccessRefused if the caller may not make it
   */
  void check(@Nullable Route route, AdminRequest request) {
    checkLoggedIn(request.describe());
    if (route == null) {
      return;
    }
    int needed = route.needed();
    switch (route.requirement().on()) {
      case CACHE -> cache(request, needed);
      case SERVER, SERVER_AND_CACHE -> {
        // For the cache, the handler asks again: by then it knows which one is meant.
        if (!caller.server().allows(needed)) {
          throw caller.refusal(needed, request.describe());
        }
      }
    }
  }

  /** Notes a request that changes something in the audit log. */
  void administered(AdminRequest request, int status) {
    if (request.verb() != Verb.GET && request.verb() != Verb.HEAD) {
      caller.administered(request.describe(), String.valueOf(status));
    }
  }

  /** The status that tells a client of a refusal. */
  static HttpResponseStatus status(AccessRefused refusal) {
    return refusal.reason() == AccessRefused.Reason.NOT_PERMITTED
        ? HttpResponseStatus.FORBIDDEN
        : HttpResponseStatus.UNAUTHORIZED;
  }

  /** Answers that a request may not be made, or that its login is not right. */
  void answer(AccessRefused refusal, Reply reply) {
    if (refusal.reason() == AccessRefused.Reason.NOT_PERMITTED) {
      reply.begin(HttpResponseStatus.FORBIDDEN).text("text/plain", refusal.text());
      return;
    }
    List<String> challenges = login.challenges();
    reply.begin(HttpResponseStatus.UNAUTHORIZED);
    challenges.forEach(challenge -> reply.header(CHALLENGE, challenge));
    reply.text("text/plain", refusal.text());
  }

  /** The schemes of HTTP by which somebody can log in, in upper case; none if nobody has to. */
  List<String> schemes() {
    return caller.isUnrestricted() ? List.of() : login.schemes();
  }

  /** Who made the request, or null if nobody had to log in. */
  @Nullable Identity identity() {
    return caller.identity();
  }

  /** The mask of what the caller may do that is about no cache. */
  int serverPermissions() {
    return caller.server().mask();
  }

  /** The mask of what the caller may do with a cache. */
  int cachePermissions(String name, CacheConfig config) {
    return caller.cache(name, config).mask();
  }

  /** Forgets the caller. */
  void close() {
    caller.close();
  }
}
