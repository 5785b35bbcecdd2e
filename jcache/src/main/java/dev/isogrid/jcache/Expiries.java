package dev.isogrid.jcache;

import dev.isogrid.api.Expiry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import org.jspecify.annotations.Nullable;

/** Asks the expiry policy of a cache, in the terms of the grid. A policy that fails is logged. */
final class Expiries {
  private static final Logger log = System.getLogger(Expiries.class.getName());

  private final ExpiryPolicy policy;
  private final boolean ignoresAccess;
  private final @Nullable Expiry constant;

  Expiries(ExpiryPolicy policy) {
    this.policy = policy;
    boolean isEternal = policy instanceof EternalExpiryPolicy;
    boolean isModified = policy instanceof ModifiedExpiryPolicy;
    ignoresAccess = isEternal || isModified || policy instanceof CreatedExpiryPolicy;
    Duration always = isEternal || isModified ? policy.getExpiryForCreation() : Duration.ZERO;
    constant = always == null || always.isZero() ? null : expiry(always);
  }

  /** The expiry of every write if the policy has but one, which is not zero; else null. */
  @Nullable Expiry constant() {
    return constant;
  }

  /** Whether reading an entry never changes when it expires. */
  boolean ignoresAccess() {
    return ignoresAccess;
  }

  /** The expiry of a new entry; null if it is over at once. */
  @Nullable Expiry ofCreation() {
    Duration duration = ask(policy::getExpiryForCreation, Duration.ETERNAL);
    return duration == null ? Expiry.NEVER : expiry(duration);
  }

  /** The new expiry of an entry that gets a new value; null for no change. */
  @Nullable Duration ofUpdate() {
    return ask(policy::getExpiryForUpdate, null);
  }

  /** The new expiry after a read of an entry; null for no change. */
  @Nullable Duration ofAccess() {
    return ignoresAccess ? null : ask(policy::getExpiryForAccess, null);
  }

  /** A duration as expiry; null if it is zero. */
  static @Nullable Expiry expiry(Duration duration) {
    if (duration.isEternal()) {
      return Expiry.NEVER;
    }
    TimeUnit unit = duration.getTimeUnit();
    return duration.isZero() || unit == null
        ? null
        : millis(unit.toMillis(duration.getDurationAmount()));
  }

  private static Expiry millis(long millis) {
    return Expiry.lifespan(Math.max(1, millis), TimeUnit.MILLISECONDS)
        .withMaxIdle(-1, TimeUnit.MILLISECONDS);
  }

  private static @Nullable Duration ask(
      Supplier<@Nullable Duration> question, @Nullable Duration otherwise) {
    try {
      return question.get();
    } catch (RuntimeException e) {
      log.log(Level.WARNING, "expiry policy failed; its default is used: " + otherwise, e);
      return otherwise;
    }
  }
}
