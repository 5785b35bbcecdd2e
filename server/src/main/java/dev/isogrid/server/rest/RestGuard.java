package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Access;
import dev.isogrid.server.security.AccessRefused;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.HttpLogin;
import dev.isogrid.server.security.Identity;
import dev.isogrid.server.security.Permission;
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

  /** What the caller may do with a cache. */
  Access cache(String name, CacheConfig config) {
    return caller.cache(name, config);
  }

  /**
   * Lets a request pass that only some may make.
   *
   * @param role that the caller must have; null if none
   * @throws RestProblem if the caller does not have it
   */
  void checkRole(@Nullable String role, AdminRequest request) {
    if (role != null && !caller.hasRole(role)) {
      AccessRefused refusal = caller.refusalWithoutRole(role, request.describe());
      throw new RestProblem(HttpResponseStatus.FORBIDDEN, refusal.text());
    }
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
   * Lets an administrative request pass.
   *
   * @param route null for one that is answered with an error in any case
   * @throws AccessRefused if the caller may not make it
   */
  void check(@Nullable Route route, AdminRequest request) {
    int needed = route == null ? Permission.LOGGED_IN : route.needed();
    Access access = caller.server();
    if (route != null && route.isOnCache()) {
      var cache = server.node().findCache(request.cacheName());
      if (cache != null && needed != Permission.CREATE.mask()) {
        access = caller.cache(request.cacheName(), cache.config());
      } else if (cache == null && needed != Permission.CREATE.mask()) {
        needed = Permission.LOGGED_IN; // the answer is that there is no such cache
      }
    }
    if (!access.allows(needed)) {
      throw caller.refusal(needed, request.describe());
    }
  }

  /** Notes a request that changes something in the audit log. */
  void administered(AdminRequest request, int status) {
    if (request.verb() != Verb.GET && request.verb() != Verb.HEAD) {
      caller.administered(request.describe(), String.valueOf(status));
    }
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
