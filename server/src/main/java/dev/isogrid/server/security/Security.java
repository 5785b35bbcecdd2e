package dev.isogrid.server.security;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import io.netty.channel.Channel;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides about the permissions of clients on a server. The {@link Access} objects of connections
 * are kept up to date: they change when users, roles or the validity of a token change.
 * Thread-safe.
 */
public final class Security implements AutoCloseable {
  /** The attribute with the number of a connection of this server. */
  private static final AttributeKey<Long> NUMBER = AttributeKey.valueOf(Security.class, "number");

  /** The interval of checks for expired tokens. */
  private static final long EXPIRY_PERIOD_MILLIS = 1000;

  private final @Nullable UserRealm users;
  private final SecuritySettings.@Nullable Login login;
  private final @Nullable Roles roles;
  private final AuditLog audit;
  private final LoginThrottle throttle;
  private final Env env;
  private final Predicate<String> cacheExists;
  private final HttpNonces nonces;
  private final AtomicLong connectionCount = new AtomicLong();
  private final Set<Caller> callers = ConcurrentHashMap.newKeySet();
  private final Scheduler.@Nullable Task expiry;

  /**
   * Reads users and keys.
   *
   * @param cacheExists whether a cache exists
   * @throws dev.isogrid.api.FatalGridException if a file can't be used; the message names it
   */
  public Security(SecuritySettings settings, Env env, Predicate<String> cacheExists) {
    this.login = settings.login();
    this.roles = settings.roles();
    this.audit = new AuditLog(settings.isAudited(), env.nanoClock());
    this.throttle = new LoginThrottle(env.nanoClock());
    this.env = env;
    this.cacheExists = cacheExists;
    this.nonces = new HttpNonces(env.nanoClock());
    this.users =
        login == null
            ? null
            : new UserRealm(login, new UserFile(settings.folder()), env, this::refreshAll);
    this.expiry =
        login == null ? null : env.scheduler().every(EXPIRY_PERIOD_MILLIS, this::endExpired);
  }

  /** A security without logins, which permits everything. */
  public static Security off(Env env) {
    return new Security(SecuritySettings.off(Path.of("")), env, _ -> true);
  }

  /** Applies the present users and roles to all callers. */
  public void refreshAll() {
    if (isOn()) {
      callers.forEach(Caller::refresh);
    }
  }

  private void endExpired() {
    for (Caller caller : callers) {
      Identity identity = caller.identity();
      if (identity != null && identity.expiresMillis() <= env.epochClock().millis()) {
        caller.refresh();
      }
      caller.endIfIdle(env.nanoClock().nanoTime());
    }
  }

  /** Whether clients must log in. */
  public boolean isOn() {
    return users != null;
  }

  /** The permissions of roles, or null if a login permits everything. */
  public @Nullable Roles roles() {
    return roles;
  }

  /** The roles of each user of the file, sorted by name; empty if the server has no logins. */
  public SortedMap<String, Set<String>> userRoles() {
    return users == null ? new TreeMap<>() : users.roles();
  }

  /** Whether any user can log in, as far as that is known. */
  public boolean canLogIn() {
    return userCount() > 0 || takesTokens() || takesCertificates();
  }

  /** The number of users in the file. */
  public int userCount() {
    return users == null ? 0 : users.count();
  }

  /**
   * The caller of a new connection. Close it with the connection.
   *
   * @param protocol for logs
   */
  public Caller newCaller(Channel channel, String protocol) {
    Caller caller = new Caller(this, channel, protocol, env.nanoClock().nanoTime());
    callers.add(caller);
    return caller;
  }

  /** The number of a connection, the same for all its callers. */
  long number(Channel channel) {
    Attribute<Long> number = channel.attr(NUMBER);
    Long known = number.get();
    if (known == null) {
      known = connectionCount.incrementAndGet();
      number.set(known); // by the event loop, which makes callers
    }
    return known;
  }

  /** The present connections of clients that speak a protocol. */
  public List<Connected> connections() {
    Map<Long, Connected> byId = new TreeMap<>();
    long nowNanos = env.nanoClock().nanoTime();
    long nowMillis = env.epochClock().millis();
    for (Caller caller : callers) {
      // Streams of HTTP/2 may have callers of their own: a caller with a login is more informative.
      byId.merge(
          caller.id(),
          caller.connected(nowNanos, nowMillis),
          (one, other) -> one.user() == null ? other : one);
    }
    return List.copyOf(byId.values());
  }

  /**
   * Closes a connection.
   *
   * @return false if no connection has this number
   */
  public boolean close(long id) {
    for (Caller caller : callers) {
      if (caller.id() == id) {
        caller.disconnect();
        return true;
      }
    }
    return false;
  }

  void left(Caller caller) {
    callers.remove(caller);
  }

  boolean hasCache(String name) {
    return cacheExists.test(name);
  }

  /** Logins that failed since the start. */
  public long loginsFailed() {
    return audit.loginsFailed();
  }

  /** Requests that were refused for lack of a permission, since the start. */
  public long requestsDenied() {
    return audit.requestsDenied();
  }

  AuditLog audit() {
    return audit;
  }

  LoginThrottle throttle() {
    return throttle;
  }

  HttpNonces nonces() {
    return nonces;
  }

  private UserRealm users() {
    return Objects.requireNonNull(users);
  }

  private SecuritySettings.Login login() {
    return Objects.requireNonNull(login);
  }

  /**
   * The desk that checks a login from an origin.
   *
   * @param mayWait whether its thread may wait for other logins
   */
  LoginDesk desk(Origin origin, boolean mayWait) {
    return new LoginDesk(users(), throttle, origin.network(), mayWait);
  }

  String realm() {
    return login().realm();
  }

  /** The remaining rights of an identity now; null if it has ended. */
  @Nullable Identity renewed(Identity identity) {
    return users().renewed(identity, env.epochClock().millis());
  }

  /** The permissions of an identity that do not concern a cache. */
  int permissions(@Nullable Identity identity) {
    if (identity == null) {
      return 0;
    }
    Roles known = roles;
    int mask = known == null ? Permission.ALL.mask() : known.mask(identity.roles());
    return mask | Permission.LOGGED_IN;
  }

  /**
   * The permissions of an identity on a cache.
   *
   * @param name the cache's own, not an alias
   */
  int permissions(@Nullable Identity identity, String name, CacheConfig config) {
    if (identity == null) {
      return 0;
    }
    Roles known = roles;
    int mask =
        known == null || !config.authorization().enabled()
            ? Permission.ALL.mask()
            : known.mask(identity.roles(), config.authorization().roles());
    return Requirements.permitted(name, mask) | Permission.LOGGED_IN;
  }

  /** Whether an identity has a role; without roles on the server, every identity has all. */
  boolean hasRole(@Nullable Identity identity, String role) {
    return roles == null || (identity != null && identity.roles().contains(role));
  }

  /** The identity that this server vouches for to others, or null without a login. */
  @Nullable VouchedCaller vouched(@Nullable Identity identity) {
    return identity == null || !isOn()
        ? null
        : new VouchedCaller(identity.name(), identity.roles());
  }

  /**
   * Checks the permissions of a client for a task. The client may have logged in to another server.
   *
   * @param caller the client, or null if no server vouches for one
   * @param request the request, for the log and the message
   * @param task the permissions that it needs
   * @throws AccessRefused if the client's roles don't permit it here, or a login is needed and
   *     there is none
   */
  public void checkTask(@Nullable VouchedCaller caller, String request, TaskNeeds task) {
    if (!isOn()) {
      return;
    }
    String lacking =
        caller == null ? "a login at a server that vouches for it" : lacking(caller, task);
    if (lacking != null) {
      String user = caller == null ? Caller.NOBODY : caller.user();
      audit.refused(user, Origin.CLUSTER, request, lacking);
      throw new AccessRefused(
          AccessRefused.Reason.NOT_PERMITTED,
          "%s is not permitted: user=%s, lacking=%s; ask for a role that has it"
              .formatted(request, user, lacking));
    }
  }

  private @Nullable String lacking(VouchedCaller caller, TaskNeeds task) {
    Roles known = roles;
    if (known == null) {
      return null;
    }
    int onServer = known.mask(caller.roles());
    if ((onServer & task.onServer()) != task.onServer()) {
      return Permission.names(task.onServer());
    }
    CacheConfig cache = task.cache();
    if (cache != null && cache.authorization().enabled()) {
      int onCache = known.mask(caller.roles(), cache.authorization().roles());
      if ((onCache & task.onCache()) != task.onCache()) {
        return Permission.names(task.onCache()) + " on the cache";
      }
    }
    String role = task.role();
    return role == null || caller.roles().contains(role) ? null : "role " + role;
  }

  /** The mechanisms of SASL for a connection, in the order of preference. */
  List<Mechanism> mechanisms(Origin origin) {
    List<Mechanism> offered = new ArrayList<>();
    if (!isOn()) {
      return offered;
    }
    List<Mechanism> wanted = login().mechanisms();
    for (Mechanism mechanism : wanted == null ? List.of(Mechanism.values()) : wanted) {
      if (isPossible(mechanism, origin)) {
        offered.add(mechanism);
      }
    }
    return offered;
  }

  private boolean isPossible(Mechanism mechanism, Origin origin) {
    return switch (mechanism) {
      case PLAIN -> takesPasswords(origin);
      case EXTERNAL -> login().certificates() && origin.certificateName() != null;
      case OAUTHBEARER -> takesTokens(origin);
      default -> login().hasPasswords();
    };
  }

  private boolean isSecret(Origin origin) {
    return origin.isEncrypted() || login().clearTextAllowed();
  }

  /**
   * Whether a connection may carry a password. A memcached connection may do so unencrypted if it
   * does not leave the machine: clients of memcached know no other way to log in.
   */
  boolean takesPasswords(Origin origin) {
    boolean isLocal = origin.isLoopback() && origin.protocol().equals("memcached");
    return login().hasPasswords() && (isSecret(origin) || isLocal);
  }

  /** Whether BASIC is offered to a connection. */
  boolean takesBasic(Origin origin) {
    return login().hasPasswords() && isSecret(origin);
  }

  boolean takesDigest() {
    return login().hasPasswords();
  }

  /** Whether tokens are accepted over any connection. */
  private boolean takesTokens() {
    return login().tokens() != null;
  }

  /** Whether a connection may carry a token, which every reader of the connection could use. */
  boolean takesTokens(Origin origin) {
    return takesTokens() && isSecret(origin);
  }

  boolean takesCertificates() {
    return login().certificates();
  }

  /**
   * Begins a login by SASL.
   *
   * @param mechanism null if the name is unknown
   * @param desk checks the login
   * @throws AccessRefused if the mechanism is not offered to this connection
   */
  SaslExchange begin(@Nullable Mechanism mechanism, String name, Origin origin, LoginDesk desk) {
    if (mechanism == null || !mechanisms(origin).contains(mechanism)) {
      throw AccessRefused.malformed(
          "mechanism not offered: mechanism=%s; offered are %s"
              .formatted(
                  AuditLog.shown(name),
                  mechanisms(origin).stream().map(Mechanism::title).toList()));
    }
    return switch (mechanism) {
      case SCRAM_SHA_256, SCRAM_SHA_384, SCRAM_SHA_512 -> new ScramExchange(mechanism, desk);
      case DIGEST_SHA_256, DIGEST_SHA_384, DIGEST_SHA_512 ->
          new DigestExchange(mechanism, desk, "hotrod/" + login().serverName());
      case PLAIN -> new PlainExchange(desk);
      case EXTERNAL -> new ExternalExchange(desk, Objects.requireNonNull(origin.certificateName()));
      case OAUTHBEARER -> new BearerExchange(desk);
    };
  }

  /** Stops watching files. */
  @Override
  public void close() {
    if (users != null) {
      users.close();
    }
    if (expiry != null) {
      expiry.close();
    }
  }
}
