package dev.isogrid.server.security;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.server.security.AccessRefused.Reason;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
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
import org.jspecify.annotations.Nullable;

/**
 * Who is on the other side of one connection, and what they may do. Begins as nobody. Thread-safe,
 * but one login at a time.
 */
public final class Caller implements AutoCloseable {
  /** Above this, what is kept for caches that are gone is dropped. */
  private static final int CACHES_KEPT = 64;

  /** Within this time somebody has to log in. */
  static final long LOGIN_SECONDS_MAX = 60;

  /**
   * How long requests of a session that has ended are answered before the connection is closed:
   * long enough for the error to arrive, short enough for events to end in time.
   */
  static final long CLOSE_MILLIS = 200;

  /** How somebody is called who has not logged in. */
  static final String NOBODY = "-";

  /** The protocol whose clients wait for a challenge before they log in. */
  static final String REST = "REST";

  /** What answers a step of a login by SASL. */
  public static final class SaslReply {
    private final boolean isComplete;
    private final byte[] bytes;

    private SaslReply(boolean isComplete, byte[] bytes) {
      this.isComplete = isComplete;
      this.bytes = bytes;
    }

    /**
     * Whether the login is done, and there is nothing that the client has to look at. The empty end
     * of OAUTHBEARER is something: Hot Rod clients wait for it.
     */
    public boolean isComplete() {
      return isComplete;
    }

    /** What the client has to look at; borrowed. */
    public byte[] bytes() {
      return bytes;
    }
  }

  /** What the caller may do with one cache, and by which configuration. */
  private record CacheAccess(CacheConfig config, Access access) {}

  private final Security security;
  private final Channel channel;
  private final String protocol;
  private final long sinceNanos;
  private final Access server;
  private final Map<String, CacheAccess> caches = new ConcurrentHashMap<>();
  private final AtomicBoolean loggingIn = new AtomicBoolean();

  /** Written by logins and by {@link #refresh}. */
  private volatile @Nullable Identity identity;

  // Guarded by loggingIn.
  private @Nullable SaslExchange exchange;
  private @Nullable Mechanism mechanism;

  /** The name that the login under way claims. */
  private String claimed = "";

  Caller(Security security, Channel channel, String protocol, long nowNanos) {
    this.security = security;
    this.sinceNanos = nowNanos;
    this.channel = channel;
    this.protocol = protocol;
    this.server = security.isOn() ? new Access(0) : Access.FULL;
  }

  /** What the caller may do that is about no cache. */
  public Access server() {
    return server;
  }

  /**
   * What the caller may do with a cache. Keep it as long as the cache is the same.
   *
   * @param name the cache's own, not an alias
   * @param config of the cache as it is now
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

  /** Closes the connection if nobody has logged in for long; REST logs in by each request. */
  void endIfIdle(long nowNanos) {
    boolean isLate = nowNanos - sinceNanos >= LOGIN_SECONDS_MAX * 1_000_000_000L;
    if (isLate && identity == null && !protocol.equals(REST)) {
      security.audit().loginFailed(NOBODY, origin(), "-", "nobody logged in in time");
      channel.close();
    }
  }

  /** Makes nobody of the caller. */
  void logOut() {
    identity = null;
    apply();
  }

  /** The name of the user, or {@code -} if nobody has logged in. */
  public String name() {
    Identity known = identity;
    return known == null ? NOBODY : known.name();
  }

  /** Who has logged in, or null. */
  public @Nullable Identity identity() {
    return identity;
  }

  /** What this server vouches for to others: the user; null if nobody has, or has to, log in. */
  public @Nullable VouchedCaller vouched() {
    return security.vouched(identity);
  }

  /** Whether nobody has to log in on this server. */
  public boolean isUnrestricted() {
    return !security.isOn();
  }

  /** The server that decides. */
  Security security() {
    return security;
  }

  /** Applies what users and roles are now. Any thread. */
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
   * Ends the connection soon: until then requests are told why they fail. By HTTP each request logs
   * in by itself, so there the connection stays.
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
      // The user changed during the login, and the news may have come before there was a session.
      logOut();
      throw new AccessRefused(Reason.LOGIN_FAILED, "login failed: the user has just changed");
    }
    if (isOther) {
      security.audit().loggedIn(proved.name(), origin, proved.mechanism());
    }
  }

  /** The names of the mechanisms of SASL that this connection can log in by. */
  public List<String> mechanisms() {
    return security.mechanisms(origin()).stream().map(Mechanism::title).toList();
  }

  /**
   * Takes the next step of a login by SASL. May take some milliseconds.
   *
   * @param name of the mechanism, or empty for that of the step before
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
   * Logs in by a password, which takes some milliseconds.
   *
   * @param via by which method of the protocol; for the log
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
   * @param check says who has proved to be the user
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

  /** Where logins are checked; an event loop must not wait for those of others. */
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
   * What to answer to a request that the caller may not make.
   *
   * @param needed what it needs; see {@link Requirements}
   * @param request what was asked for; for the log
   */
  public AccessRefused refusal(int needed, String request) {
    return refusal(Permission.names(needed), "a role that has it", request);
  }

  /** Whether the caller has a role; everyone has all of them where roles mean nothing. */
  public boolean hasRole(String role) {
    return security.hasRole(identity, role);
  }

  /** What to answer to a request for which the caller would have to have a role. */
  public AccessRefused refusalWithoutRole(String role, String request) {
    return refusal("role " + role, "that role", request);
  }

  private AccessRefused refusal(String lacking, String wanted, String request) {
    if (identity != null || !protocol.equals(REST)) {
      // To a first request without a login HTTP answers with a challenge: that refuses nobody.
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

  /** Where the connection comes from, as far as it is known now. */
  Origin origin() {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    String address = String.valueOf(channel.remoteAddress());
    boolean isLoopback = false;
    String network = address;
    if (channel.remoteAddress() instanceof InetSocketAddress remote
        && remote.getAddress() != null) {
      network = network(remote.getAddress());
      isLoopback = remote.getAddress().isLoopbackAddress();
    }
    return new Origin(
        address, network, protocol, tls != null, isLoopback, tls == null ? null : certificate(tls));
  }

  /** One machine usually has all addresses of IPv6 that begin with the same 64 bits. */
  private static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    return address instanceof Inet6Address
        ? HexFormat.of().formatHex(bytes, 0, Long.BYTES) + "/64"
        : address.getHostAddress();
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

  /** Forgets the caller, at the end of the connection. */
  @Override
  public void close() {
    security.left(this);
  }
}
