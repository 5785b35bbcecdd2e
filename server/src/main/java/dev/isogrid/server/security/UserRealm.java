package dev.isogrid.server.security;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Env;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The users of the present users' file, and the accepted tokens. Passwords and roles that {@code
 * isogrid user} changes take effect a second later. Thread-safe.
 */
final class UserRealm implements AutoCloseable {
  private static final System.Logger log = System.getLogger(UserRealm.class.getName());
  private static final int NONCE_SIZE = 18;

  /** The longest wait of a login for others whose passwords are being checked. */
  private static final long HASHING_WAIT_SECONDS = 5;

  private final SecuritySettings.Login settings;
  private final UserFile file;
  private final @Nullable TokenVerifier tokens;
  private final SecureRandom random = new SecureRandom();

  /** Replaces the secret of a file that has none and can't be given one. */
  private final String ownSecret = MadeUpKeys.newSecret();

  /** Limits the number of passwords hashed at once to that of the processors. */
  private final Semaphore hashing = new Semaphore(Runtime.getRuntime().availableProcessors());

  private final Runnable changed;
  private final FileWatch watch;

  /** Written by the file watch. */
  private volatile Known users;

  /** The content of the file. */
  private record Known(Map<String, User> byName, MadeUpKeys madeUp) {}

  /**
   * Reads users and keys.
   *
   * @param changed runs after users were read again
   * @throws FatalGridException if a file can't be used
   */
  UserRealm(SecuritySettings.Login settings, UserFile file, Env env, Runnable changed) {
    this.settings = settings;
    this.file = file;
    this.changed = changed;
    TokenSettings tokenSettings = settings.tokens();
    this.tokens = tokenSettings == null ? null : new TokenVerifier(tokenSettings, env.epochClock());
    this.watch = FileWatch.start(List.of(file.path()), env.scheduler(), this::reload);
    try {
      this.users = read();
    } catch (FatalGridException unreadable) {
      watch.close();
      throw unreadable;
    }
  }

  private Known read() {
    file.addSecret();
    UserFile.Content content = file.content();
    String secret = content.secret();
    if (file.isReadableByOthers()) {
      log.log(
          Level.WARNING,
          () ->
              "users' file can be read by all users of this machine, who can then log in by DIGEST:"
                  + " file=%s; run chmod 600 on it".formatted(file.path()));
    }
    return new Known(
        content.users(),
        new MadeUpKeys(secret == null ? ownSecret : secret, content.users().values()));
  }

  private void reload() {
    try {
      users = read();
      log.log(Level.INFO, () -> "users read anew: count=%d".formatted(count()));
    } catch (FatalGridException unreadable) {
      log.log(
          Level.WARNING,
          () -> "users changed, but the former ones stay: " + unreadable.getMessage());
      return;
    }
    changed.run();
  }

  String realm() {
    return settings.realm();
  }

  /** The roles of each user. */
  SortedMap<String, Set<String>> roles() {
    SortedMap<String, Set<String>> roles = new TreeMap<>();
    users.byName.forEach((name, user) -> roles.put(name, Collections.unmodifiableSet(user.roles)));
    return roles;
  }

  /** The number of users. */
  int count() {
    return users.byName.size();
  }

  String newNonce() {
    byte[] bytes = new byte[NONCE_SIZE];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The candidate of a name, whether or not it exists. */
  Candidate candidate(String name) {
    Known known = users;
    return new Candidate(name, known.byName.get(name), settings.realm(), known.madeUp);
  }

  /**
   * Runs a check that hashes a password, when there is a processor for it.
   *
   * @throws RetryableGridException if that does not happen in time
   */
  <T> T hashing(Supplier<T> check) {
    boolean acquired;
    try {
      acquired = hashing.tryAcquire(HASHING_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      acquired = false;
    }
    if (!acquired) {
      throw new RetryableGridException("too many logins at the same time; try again");
    }
    try {
      return check.get();
    } finally {
      hashing.release();
    }
  }

  /** The user of a trusted certificate, with the roles of the file. */
  Identity identityOfCertificate(String name) {
    Set<String> roles = fileRoles(name);
    return new Identity(name, Mechanism.EXTERNAL.title(), null, roles, Set.of(), Long.MAX_VALUE);
  }

  Identity identityOfToken(String token) {
    if (tokens == null) {
      throw new AccessRefused(
          AccessRefused.Reason.LOGIN_FAILED, "login failed: tokens are not accepted here");
    }
    TokenVerifier.Claims claims = tokens.verify(token);
    String mechanism = Mechanism.OAUTHBEARER.title();
    Set<String> roles = hasFileRoles(mechanism) ? fileRoles(claims.user()) : Set.of();
    return new Identity(
        claims.user(), mechanism, null, roles, claims.roles(), claims.expiresMillis());
  }

  private Set<String> fileRoles(String name) {
    User user = users.byName.get(name);
    return user == null ? Set.of() : user.roles;
  }

  /**
   * Whether the file gives roles to users of a mechanism; without the file, a token has its own
   * roles.
   */
  private boolean hasFileRoles(String mechanism) {
    TokenSettings tokenSettings = settings.tokens();
    return !mechanism.equals(Mechanism.OAUTHBEARER.title())
        || (tokenSettings != null && tokenSettings.claims().addsFileRoles());
  }

  /**
   * The remaining rights of an identity: the same, one with more roles if the file now gives more,
   * or null if it has ended.
   */
  @Nullable Identity renewed(Identity identity, long nowMillis) {
    User user = users.byName.get(identity.name());
    String password = identity.passwordVersion();
    boolean isSame = password == null || (user != null && user.passwordVersion().equals(password));
    Set<String> roles = user == null || !hasFileRoles(identity.mechanism()) ? Set.of() : user.roles;
    boolean holds =
        nowMillis < identity.expiresMillis() && isSame && roles.containsAll(identity.fileRoles());
    return holds ? identity.withFileRoles(roles) : null;
  }

  /** Stops watching the file. */
  @Override
  public void close() {
    watch.close();
  }
}
