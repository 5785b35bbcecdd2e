package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.CacheAdministration;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Access;
import dev.isogrid.server.security.AccessRefused;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.ClientNetwork;
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
 * Identifies the caller of a connection's requests, and checks permissions. For one thread at a
 * time, like the connection.
 */
final class RestGuard {
  private static final AsciiString CHALLENGE = AsciiString.cached("WWW-Authenticate: ");

  private final ServerContext server;
  private final Caller caller;
  private final HttpLogin login;
  private final @Nullable String network;

  RestGuard(ServerContext server, Channel channel) {
    this.server = server;
    this.caller = server.security().newCaller(channel, "REST");
    this.login = new HttpLogin(caller);
    this.network = ClientNetwork.orNull(channel.remoteAddress());
  }

  /** Whether clients must log in. */
  boolean isRestricted() {
    return !caller.isUnrestricted();
  }

  /** Whether the client must log in and has not. */
  boolean isStranger() {
    return !caller.isUnrestricted() && caller.identity() == null;
  }

  /** Whether the identification of a request's caller may take long. */
  boolean mustWait(RequestHeaders headers) {
    return !caller.isUnrestricted() && login.takesLong(headers.authorization);
  }

  /**
   * Identifies the caller of a request.
   *
   * @throws AccessRefused if its login is wrong
   */
  void identify(HttpRequest head, RequestHeaders headers) {
    if (!caller.isUnrestricted()) {
      login.check(headers.authorization, head.method().name(), head.uri());
    }
  }

  /**
   * The caller's permissions on a cache.
   *
   * @param name the cache's own, not an alias
   */
  Access cache(String name, CacheConfig config) {
    return caller.cache(name, config);
  }

  /**
   * The cache of a request, by its own name or an alias.
   *
   * @param needed the required permissions on it
   * @throws RestProblem if there is no such cache
   * @throws AccessRefused if the caller lacks a permission
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

  /** The administration of caches with the caller's permissions. */
  CacheAdministration administration() {
    return new CacheAdministration(server.catalog(), caller);
  }

  /**
   * Checks a required role for a request.
   *
   * @param role that the caller must have; null if none
   * @throws AccessRefused if the caller does not have it
   */
  void checkRole(@Nullable String role, AdminRequest request) {
    if (role != null && !caller.hasRole(role)) {
      throw caller.refusalWithoutRole(role, request.describe());
    }
  }

  /** The caller as this server vouches for it to others. */
  @Nullable VouchedCaller vouched() {
    return caller.vouched();
  }

  /** The refusal of a request. */
  AccessRefused refusal(int needed, String request) {
    return caller.refusal(needed, request);
  }

  /**
   * Checks that the caller has logged in.
   *
   * @throws AccessRefused otherwise
   */
  void checkLoggedIn(String request) {
    if (!caller.server().allows(Permission.LOGGED_IN)) {
      throw caller.refusal(Permission.LOGGED_IN, request);
    }
  }

  /** Whether a request needs no login: then its login is ignored. */
  static boolean isPublic(@Nullable Route route) {
    return route != null && route.needed() == Permission.PUBLIC;
  }

  /**
   * Checks the permissions for an administrative request. Clients without a login are refused
   * before any look-up of a cache, so that the answer does not show whether it exists.
   *
   * @param route null for a request that is answered with an error in any case
   * @throws RestProblem if the cache of the request does not exist
   * @throws AccessRefused if the caller lacks a permission
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
        // The handler checks the permissions on the cache: by then it knows which one is meant.
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

  /** The status of a refusal. */
  static HttpResponseStatus status(AccessRefused refusal) {
    return refusal.reason() == AccessRefused.Reason.NOT_PERMITTED
        ? HttpResponseStatus.FORBIDDEN
        : HttpResponseStatus.UNAUTHORIZED;
  }

  /** Answers a refused request or a wrong login. */
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

  /** The schemes of HTTP for a login, in upper case; none if the server has no logins. */
  List<String> schemes() {
    return caller.isUnrestricted() ? List.of() : login.schemes();
  }

  /** The network of the client, or null if it is unknown. */
  @Nullable String network() {
    return network;
  }

  /** The client for limits that many clients share: its user, or its network without a login. */
  String client() {
    Identity user = caller.identity();
    return user == null ? String.valueOf(network) : "user " + user.name();
  }

  /** The user of the request, or null without a login. */
  @Nullable Identity identity() {
    return caller.identity();
  }

  /** The mask of the caller's permissions that do not concern a cache. */
  int serverPermissions() {
    return caller.server().mask();
  }

  /** The mask of the caller's permissions on a cache. */
  int cachePermissions(String name, CacheConfig config) {
    return caller.cache(name, config).mask();
  }

  /** Forgets the caller. */
  void close() {
    caller.close();
  }
}
