package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.EntryMergePolicy;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MergePolicy;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.EntryMerge;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lets a class of a user decide on entries that both sides of a split changed. Thread-safe. */
final class UserMerge implements EntryMerge {
  private static final System.Logger log = System.getLogger(UserMerge.class.getName());

  private final MergePolicy policy;
  private final Function<String, EmbeddedCache<?, ?, ?, ?>> caches;
  private volatile @Nullable EntryMergePolicy<Object, Object> made;

  private UserMerge(MergePolicy policy, Function<String, EmbeddedCache<?, ?, ?, ?>> caches) {
    this.policy = policy;
    this.caches = caches;
  }

  /**
   * The decision of a policy.
   *
   * @param caches a cache by its name, which says what bytes are as objects
   */
  static EntryMerge of(MergePolicy policy, Function<String, EmbeddedCache<?, ?, ?, ?>> caches) {
    EntryMerge known = EntryMerge.of(policy);
    return known == null ? new UserMerge(policy, caches) : known;
  }

  /**
   * Refuses a configuration whose policy is no class that this node has.
   *
   * @throws InvalidRequestException if so, saying why
   */
  static void check(CacheConfig config) {
    if (config.mergePolicy().isClass()) {
      make(config.mergePolicy());
    }
  }

  @SuppressWarnings("unchecked") // the types are the user's promise
  private static EntryMergePolicy<Object, Object> make(MergePolicy policy) {
    ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = ofThread == null ? ClassLoader.getSystemClassLoader() : ofThread;
    try {
      Object instance = Class.forName(policy.name(), true, loader).getConstructor().newInstance();
      if (instance instanceof EntryMergePolicy<?, ?> known) {
        return (EntryMergePolicy<Object, Object>) known;
      }
    } catch (ReflectiveOperationException | LinkageError e) {
      InvalidRequestException refused =
          new InvalidRequestException(
              ("no merge policy: class=%s, %s; it must be on all nodes, and public with a public"
                      + " constructor without parameters")
                  .formatted(policy.name(), e));
      refused.addSuppressed(e);
      throw refused;
    }
    throw new InvalidRequestException(
        "no merge policy: class=%s; it must be an EntryMergePolicy".formatted(policy.name()));
  }

  @Override
  @SuppressWarnings("unchecked") // clustered caches keep bytes
  public @Nullable DetachedEntry merge(
      String cache,
      BinaryKey key,
      @Nullable DetachedEntry clusters,
      @Nullable DetachedEntry sides) {
    try {
      Edge<Object, Object, BinaryKey, Bytes> edge =
          ((EmbeddedCache<Object, Object, BinaryKey, Bytes>) caches.apply(cache)).edge();
      CacheEntry<Object, Object> preferred = entry(edge, key, clusters);
      CacheEntry<Object, Object> other = entry(edge, key, sides);
      CacheEntry<Object, Object> chosen =
          policy().merge(preferred, other == null ? List.of() : List.of(other));
      if (chosen == null) {
        return null;
      }
      if (chosen.equals(preferred)) {
        return clusters;
      }
      return chosen.equals(other) ? sides : detached(edge, chosen, clusters, sides);
    } catch (Throwable failure) { // tidy: top of the user's code; what it throws is told
      log.log(
          Level.WARNING,
          "a merge policy failed, and the majority's entry stays: cache=%s, class=%s"
              .formatted(cache, policy.name()),
          failure);
      return clusters;
    }
  }

  private EntryMergePolicy<Object, Object> policy() {
    EntryMergePolicy<Object, Object> known = made;
    if (known == null) {
      known = make(policy);
      made = known;
    }
    return known;
  }

  private static @Nullable CacheEntry<Object, Object> entry(
      Edge<Object, Object, BinaryKey, Bytes> edge, BinaryKey key, @Nullable DetachedEntry entry) {
    return entry == null
        ? null
        : new CacheEntry<>(
            edge.key(key),
            edge.value(Bytes.of(entry.value())),
            Math.max(1, entry.sequence()),
            entry.lifespanMillis() < 0 && entry.maxIdleMillis() < 0 ? -1 : entry.createdMillis(),
            entry.lifespanMillis(),
            entry.maxIdleMillis() < 0 ? -1 : entry.lastUsedMillis(),
            entry.maxIdleMillis());
  }

  /*
   * A policy does not see the flags of memcached clients nor the media type. Without them clients
   * could not read the value, so they are those of the entry with this value, else of the preferred
   * one.
   */
  private static DetachedEntry detached(
      Edge<Object, Object, BinaryKey, Bytes> edge,
      CacheEntry<Object, Object> chosen,
      @Nullable DetachedEntry clusters,
      @Nullable DetachedEntry sides) {
    ByteString value = ByteString.of(edge.storedValue(chosen.value()).toByteArray());
    DetachedEntry like = likeOf(value, clusters, sides);
    return new DetachedEntry(
        0,
        chosen.createdMillis(),
        Math.max(Expiry.UNLIMITED, chosen.lifespanMillis()),
        chosen.lastUsedMillis(),
        Math.max(Expiry.UNLIMITED, chosen.maxIdleMillis()),
        like == null ? 0 : like.clientFlags(),
        like == null ? null : like.mediaType(),
        value);
  }

  private static @Nullable DetachedEntry likeOf(
      ByteString value, @Nullable DetachedEntry clusters, @Nullable DetachedEntry sides) {
    if (clusters == null || sides == null) {
      return clusters == null ? sides : clusters;
    }
    boolean isSides = sides.value().equals(value) && !clusters.value().equals(value);
    return isSides ? sides : clusters;
  }
}
