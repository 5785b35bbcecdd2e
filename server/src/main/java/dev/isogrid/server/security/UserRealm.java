package dev.isogrid.server.security;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Env;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The users of a server as the users' file has them now, and the tokens that it accepts. Passwords
 * and roles that are changed by {@code isogrid user} hold a second later. Thread-safe.
 */
final class UserRealm implements AutoCloseable {
  private static final System.Logger log = System.getLogger(UserRealm.class.getName());
  private static final int NONCE_SIZE = 18;

  /** What a login may wait for others, whose passwords are being checked. */
  private static final long HASHING_WAIT_SECONDS = 5;

  private final SecuritySettings.Login settings;
  private final UserFile file;
  private final @Nullable TokenVerifier tokens;
  private final SecureRandom random = new SecureRandom();

  /** What is made up for users that there are not, always the same for the same name. */
  private final byte[] madeUp = new byte[Hash.SHA_512.size];

  /** As many passwords are hashed at once as there are processors; others wait. */
  private final Semaphore hashing = new Semaphore(Runtime.getRuntime().availableProcessors());

  private final Runnable changed;
  private final FileWatch watch;

  /** Written by the watch. */
  private volatile Map<String, User> users;

  /**
   * Reads users and keys.
   *
   * @param changed run when users were read anew
   * @throws FatalGridException if that is not possible
   */
  UserRealm(SecuritySettings.Login settings, UserFile file, Env env, Runnable changed) {
    this.settings = settings;
    this.file = file;
    this.changed = changed;
    this.random.nextBytes(madeUp);
    TokenSettings tokenSettings = settings.tokens();
    this.tokens = tokenSettings == null ? null : new TokenVerifier(tokenSettings, env.epochClock());
    this.watch = FileWatch.start(List.of(file.path()), env.scheduler(), this::reload);
    try {
      this.users = file.read();
    } catch (FatalGridException unreadable) {
      watch.close();
      throw unreadable;
    }
  }

  private void reload() {
    try {
      users = file.read();
      log.log(Level.INFO, () -> "users read anew: count=%d".formatted(users.size()));
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
    users.forEach((name, user) -> roles.put(name, Collections.unmodifiableSet(user.roles)));
    return roles;
  }

  /** How many users there are. */
  int count() {
    return users.size();
  }

  String newNonce() {
    byte[] bytes = new byte[NONCE_SIZE];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private byte[] madeUp(String purpose, String user, int size) {
    byte[] bytes =
        Hash.SHA_512.hmac(
            madeUp,
            purpose.getBytes(StandardCharsets.UTF_8),
            user.getBytes(StandardCharsets.UTF_8));
    return Arrays.copyOf(bytes, size);
  }

  ScramKeys scramKeys(String name, Hash hash) {
    User user = users.get(name);
    ScramKeys keys = user == null ? null : user.scram(hash);
    return keys != null
        ? keys
        : new ScramKeys(
            hash,
            ScramKeys.ITERATIONS,
            madeUp("salt", name, ScramKeys.SALT_SIZE),
            madeUp("stored", name, hash.size),
            madeUp("server", name, hash.size));
  }

  byte[] digest(String name, Hash hash) {
    User user = users.get(name);
    byte[] found = user == null ? null : user.digest(hash, settings.realm());
    return found != null ? found : madeUp("digest", name, hash.size);
  }

  /** Whether a password is that of a user; takes as long if there is no such user. */
  boolean isPassword(String name, String password) {
    User user = users.get(name);
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
      if (password.isEmpty()) {
        return false;
      }
      if (user == null || !user.hasPassword()) {
        scramKeys(name, Hash.SHA_256).fits(password);
        return false;
      }
      return user.hasPassword(password);
    } finally {
      hashing.release();
    }
  }

  Identity identity(String name, String mechanism) {
    return new Identity(name, mechanism, !mechanism.equals("EXTERNAL"), Set.of(), Long.MAX_VALUE);
  }

  Identity identityOfToken(String token) {
    if (tokens == null) {
      throw new AccessRefused(
          AccessRefused.Reason.LOGIN_FAILED, "login failed: tokens are not accepted here");
    }
    TokenVerifier.Claims claims = tokens.verify(token);
    return new Identity(
        claims.user(), "OAUTHBEARER", false, claims.roles(), claims.expiresMillis());
  }

  /** Whether somebody is still who they proved to be. */
  boolean isValid(Identity identity, long nowMillis) {
    return nowMillis < identity.expiresMillis()
        && (!identity.isOfFile() || users.containsKey(identity.name()));
  }

  /** The roles of somebody, by the file and by a token. */
  Set<String> roles(Identity identity) {
    User user = users.get(identity.name());
    if (user == null) {
      return identity.tokenRoles();
    }
    if (identity.tokenRoles().isEmpty()) {
      return user.roles;
    }
    Set<String> both = new java.util.TreeSet<>(user.roles);
    both.addAll(identity.tokenRoles());
    return both;
  }

  /** Stops watching the file. */
  @Override
  public void close() {
    watch.close();
  }
}
