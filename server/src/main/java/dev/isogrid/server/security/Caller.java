package dev.isogrid.server.security;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.server.security.AccessRefused.Reason;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The client at the other end of one connection, with its permissions. Begins without a login.
 * Thread-safe, except that only one login runs at a time.
 */
public final class Caller implements AutoCloseable {
  /** Above this number, permissions for removed caches are dropped. */
  private static final int CACHES_KEPT = 64;

  /** The time within which a client must log in. */
  static final long LOGIN_SECONDS_MAX = 60;

  /**
   * The time for which requests of an ended session are answered before the connection is closed:
   * long enough for the error to arrive, short enough for events to end in time.
   */
  static final long CLOSE_MILLIS = 200;

  /** The user name of a caller without a login. */
  static final String NOBODY = "-";

  /** The protocol whose clients wait for a challenge before they log in. */
  static final String REST = "REST";

  /** The answer to a step of a login by SASL. */
  public static final class SaslReply {
    private final boolean isComplete;
    private final byte[] bytes;

    private SaslReply(boolean isComplete, byte[] bytes) {
      this.isComplete = isComplete;
      this.bytes = bytes;
    }

    /**
     * Whether the login is done without data for the client. The empty end of OAUTHBEARER counts as
     * data: Hot Rod clients wait for it.
     */
    public boolean isComplete() {
      return isComplete;
    }

    /** The data for the client; borrowed. */
    public byte[] bytes() {
      return bytes;
    }
  }

  /** The caller's permissions on one cache, and the configuration that they follow from. */
  private record CacheAccess(CacheConfig config, Access access) {}

  private final Security security;
  private final Channel channel;
  private final String protocol;
  private final long sinceNanos;
  private final long id;
  private final Access server;
  private final Map<String, CacheAccess> caches = new ConcurrentHashMap<>();
  private final AtomicBoolean loggingIn = new AtomicBoolean();

  /** Written by logins and by {@link #refresh}. */
  private volatile @Nullable Identity identity;

  // Guarded by loggingIn.
  private @Nullable SaslExchange exchange;
  private @Nullable Mechanism mechanism;

  /** The user name that the current login claims. */
  private String claimed = "";

  Caller(Security security, Channel channel, String protocol, long nowNanos) {
    this.security = security;
    this.sinceNanos = nowNanos;
    this.id = security.number(channel);
    this.channel = channel;
    this.protocol = protocol;
    this.server = security.isOn() ? new Access(0) : Access.FULL;
  }

  /** The caller's permissions that do not concern a cache. */
  public Access server() {
    return server;
  }

  /**
   * The caller's permissions on a cache. Keep the object as long as the cache is the same.
   *
   * @param name the cache's own, not an alias
   * @param config the present configuration of the cache
   */
  public synchronized Access cache(String name, CacheConfig config) {
    if (!security.isOn()) {
      return Access.FULL;
    }
    if (caches.size() > CACHES_KEPT) {
      caches.keySet().removeIf(known -> !security.hasCache(known));
    }
    Access access =
        caches.compute(
                name,
                (_, before) ->
                    new CacheAccess(config, before == null ? new Access(0) : before.access))
            .access;
    access.set(security.permissions(identity, name, config));
    return access;
  }

  /** Closes the connection if it has had no login for long; REST logs in by each request. */
  void endIfIdle(long nowNanos) {
    boolean isLate = nowNanos - sinceNanos >= LOGIN_SECONDS_MAX * 1_000_000_000L;
    if (isLate && identity == null && !protocol.equals(REST)) {
      security.audit().leftWithoutLogin(origin());
      channel.close();
    }
  }

  /** Removes the login. */
  void logOut() {
    identity = null;
    apply();
  }

  /** The name of the user, or {@code -} without a login. */
  public String name() {
    Identity known = identity;
    return known == null ? NOBODY : known.name();
  }

  /** The user of the login, or null. */
  public @Nullable Identity identity() {
    return identity;
  }

  /**
   * The user that this server vouches for to others; null without a login, or if the server has no
   * logins.
   */
  public @Nullable VouchedCaller vouched() {
    return security.vouched(identity);
  }

  /** Whether this server has no logins. */
  public boolean isUnrestricted() {
    return !security.isOn();
  }

  /** The security of the server, which decides. */
  Security security() {
    return security;
  }

  /** Applies the present users and roles. Any thread. */
  synchronized void refresh() {
    Identity known = identity;
    if (known != null) {
      identity = security.renewed(known);
    }
    apply();
    if (known != null && identity == null) {
      security.audit().ended(known, origin());
      endSession();
    }
  }

  /**
   * Ends the connection soon: until then requests get the reason of their failure. In HTTP each
   * request logs in by itself, so there the connection stays.
   */
  private void endSession() {
    if (!protocol.equals(REST)) {
      channel.eventLoop().schedule(() -> channel.close(), CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void apply() {
    Identity known = identity;
    server.set(security.permissions(known));
    caches.forEach(
        (name, cache) -> cache.access.set(security.permissions(known, name, cache.config)));
  }

  private void become(Identity proved, Origin origin) {
    boolean isOther = !proved.equals(identity);
    identity = proved;
    apply();
    if (security.renewed(proved) == null) {
      // The user may have changed during the login, before there was a session to notify.
      logOut();
      throw new AccessRefused(Reason.LOGIN_FAILED, "login failed: the user has just changed");
    }
    if (isOther) {
      security.audit().loggedIn(proved.name(), origin, proved.mechanism());
    }
  }

  /** The names of the SASL mechanisms of this connection. */
  public List<String> mechanisms() {
    return security.mechanisms(origin()).stream().map(Mechanism::title).toList();
  }

  /**
   * Takes the next step of a login by SASL. May take some milliseconds.
   *
   * @param name of the mechanism, or empty for that of the previous step
   * @throws AccessRefused if the login failed
   */
  public SaslReply step(String name, byte[] response) {
    if (!security.isOn()) {
      throw AccessRefused.malformed(
          "authentication is switched off: mechanism=%s; connect without it"
              .formatted(AuditLog.shown(name)));
    }
    return oneAtATime(
        name,
        origin -> {
          Mechanism wanted = name.isEmpty() ? mechanism : Mechanism.of(name);
          if (exchange == null || wanted != mechanism || exchange.identity() != null) {
            exchange = security.begin(wanted, name, origin, desk(origin));
            mechanism = wanted;
          }
          byte[] bytes = exchange.step(response);
          Identity proved = exchange.identity();
          if (proved != null) {
            become(proved, origin);
            if (bytes.length == 0) {
              exchange = null;
            }
          }
          boolean hasEnd = bytes.length > 0 || wanted == Mechanism.OAUTHBEARER;
          return new SaslReply(proved != null && !hasEnd, bytes);
        });
  }

  /**
   * As {@link #step}, for a protocol whose clients mark the beginning of a login: it ends an
   * unfinished one.
   */
  public SaslReply begin(String name, byte[] response) {
    forget();
    return step(name, response);
  }

  /**
   * As {@link #step}, for a protocol whose clients mark the continuation of a login. The empty step
   * after the last one confirms that the client has checked the end.
   *
   * @throws AccessRefused if the login failed, or none is in progress
   */
  public SaslReply proceed(String name, byte[] response) {
    Boolean isProved =
        oneAtATime(
            name,
            origin -> {
              SaslExchange known = exchange;
              if (known == null) {
                throw AccessRefused.malformed(
                    "no login is under way: mechanism=%s; begin one"
                        .formatted(AuditLog.shown(name)));
              }
              return known.identity() != null;
            });
    if (isProved && response.length == 0) {
      forget();
      return new SaslReply(true, response);
    }
    return step(name, response);
  }

  private void forget() {
    oneAtATime(
        "-",
        origin -> {
          exchange = null;
          return Boolean.TRUE;
        });
  }

  /**
   * Logs in by a password, which takes some milliseconds.
   *
   * @param via the method of the protocol, for the log
   * @throws AccessRefused if the login failed
   */
  public void login(String user, String password, String via) {
    oneAtATime(
        via,
        origin -> {
          exchange = null;
          if (!security.takesPasswords(origin)) {
            throw new AccessRefused(
                Reason.LOGIN_FAILED,
                "passwords are taken over TLS only; use it, or let the server --allow-clear-text");
          }
          claimed = user;
          become(desk(origin).login(user, password, via), origin);
          return Boolean.TRUE;
        });
  }

  /**
   * Logs in by a token.
   *
   * @throws AccessRefused if the login failed
   */
  public void loginByToken(String token) {
    oneAtATime(
        "Bearer",
        origin -> {
          exchange = null;
          if (!security.takesTokens(origin)) {
            throw AccessRefused.malformed(
                "tokens are not taken over this connection; use TLS and a server that has a key"
                    + " for tokens, or let it --allow-clear-text");
          }
          become(desk(origin).loginByToken(token), origin);
          return Boolean.TRUE;
        });
  }

  /**
   * Logs in by a digest of HTTP. Each request of an open connection does that.
   *
   * @param check returns the identity of a user with a right proof
   * @throws AccessRefused if the login failed
   */
  void loginByDigest(String user, Function<LoginDesk, Identity> check) {
    oneAtATime(
        "DIGEST",
        origin -> {
          exchange = null;
          claimed = user;
          LoginDesk desk = desk(origin);
          Identity known = identity;
          boolean isOpen = known != null && known.name().equals(user);
          become(
              isOpen
                  ? desk.again(user, () -> check.apply(desk))
                  : desk.attempt(user, () -> check.apply(desk)),
              origin);
          return Boolean.TRUE;
        });
  }

  /** Logs in by the certificate of the connection, if it has a trusted one. */
  public boolean loginByCertificate() {
    Origin origin = origin();
    if (origin.certificateName() == null || !security.takesCertificates()) {
      return false;
    }
    Identity proved = desk(origin).identityOfCertificate(origin.certificateName());
    become(proved, origin);
    return true;
  }

  /** The desk that checks logins; an event loop must not wait for other logins. */
  private LoginDesk desk(Origin origin) {
    return security.desk(origin, !channel.eventLoop().inEventLoop());
  }

  private interface Login<T> {
    T attempt(Origin origin);
  }

  private <T> T oneAtATime(String via, Login<T> login) {
    if (!loggingIn.compareAndSet(false, true)) {
      throw AccessRefused.malformed("another login of this connection is under way");
    }
    Origin origin = origin();
    try {
      claimed = "";
      return login.attempt(origin);
    } catch (AccessRefused refusal) {
      SaslExchange failed = exchange;
      String user = failed == null ? claimed : failed.claimedName();
      exchange = null;
      security.audit().loginFailed(user.isEmpty() ? NOBODY : user, origin, via, refusal.text());
      throw refusal;
    } finally {
      loggingIn.set(false);
    }
  }

  /**
   * The refusal of a request for lack of permissions.
   *
   * @param needed the permissions that it needs; see {@link Requirements}
   * @param request the request, for the log
   */
  public AccessRefused refusal(int needed, String request) {
    return refusal(Permission.names(needed), "a role that has it", request);
  }

  /** Whether the caller has a role; without roles on the server, every caller has all. */
  public boolean hasRole(String role) {
    return security.hasRole(identity, role);
  }

  /** The refusal of a request for lack of a role. */
  public AccessRefused refusalWithoutRole(String role, String request) {
    return refusal("role " + role, "that role", request);
  }

  private AccessRefused refusal(String lacking, String wanted, String request) {
    if (identity != null || !protocol.equals(REST)) {
      // HTTP answers a first request without a login by a challenge, which is not a refusal.
      security.audit().refused(name(), origin(), request, lacking);
    }
    return identity == null
        ? new AccessRefused(Reason.NOT_LOGGED_IN, request + " requires authentication")
        : new AccessRefused(
            Reason.NOT_PERMITTED,
            "%s is not permitted: user=%s, lacking=%s; ask for %s"
                .formatted(request, name(), lacking, wanted));
  }

  /** Notes an administrative request in the audit log. */
  public void administered(String request, String result) {
    if (security.isOn()) {
      security.audit().administered(name(), origin(), request, result);
    }
  }

  /** The address of the client; null if the connection has none any more. */
  public @Nullable SocketAddress peer() {
    return channel.remoteAddress();
  }

  /** The origin of the connection, as far as it is known now. */
  Origin origin() {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    SocketAddress remote = channel.remoteAddress();
    boolean isLoopback =
        remote instanceof InetSocketAddress inet
            && inet.getAddress() != null
            && inet.getAddress().isLoopbackAddress();
    return new Origin(
        String.valueOf(remote),
        ClientNetwork.of(remote),
        protocol,
        tls != null,
        isLoopback,
        tls == null ? null : certificate(tls));
  }

  private static @Nullable String certificate(SslHandler tls) {
    try {
      Certificate[] chain = tls.engine().getSession().getPeerCertificates();
      if (chain.length == 0 || !(chain[0] instanceof X509Certificate own)) {
        return null;
      }
      LdapName name = new LdapName(own.getSubjectX500Principal().getName());
      for (Rdn part : name.getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          return String.valueOf(part.getValue());
        }
      }
      return null;
    } catch (SSLPeerUnverifiedException | InvalidNameException _) {
      return null; // the client has none, or one without a name
    }
  }

  /** The number of the connection on this server. */
  long id() {
    return id;
  }

  /** A description of the connection now. */
  Connected connected(long nowNanos, long nowMillis) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    SSLSession session = tls == null ? null : tls.engine().getSession();
    Identity known = identity;
    return new Connected(
        id(),
        protocol,
        known == null ? null : known.name(),
        String.valueOf(channel.localAddress()),
        String.valueOf(channel.remoteAddress()),
        nowMillis - TimeUnit.NANOSECONDS.toMillis(nowNanos - sinceNanos),
        session == null ? null : session.getProtocol(),
        session == null ? null : session.getCipherSuite());
  }

  /** Closes the connection. Any thread. */
  void disconnect() {
    channel.close();
  }

  /** Removes the caller, at the end of the connection. */
  @Override
  public void close() {
    security.left(this);
  }
}
