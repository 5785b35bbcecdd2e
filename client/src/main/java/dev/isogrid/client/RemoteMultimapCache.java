package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A cache in which a key has any number of values. Thread-safe; each operation is one round trip.
 * The futures fail as those of {@link RemoteCache}, which also names the threads that complete
 * them. Values are equal if their bytes are. Their lifespan is the cache's default.
 *
 * <p>A write that is repeated after a lost connection has no further effect, but its answer may be
 * that of the second try. Where keys may have equal values, writes are not repeated.
 */
public final class RemoteMultimapCache<K, V> {
  private final Router router;
  private final RequestFormat format;
  private final boolean supportsDuplicates;

  RemoteMultimapCache(Router router, RequestFormat format, boolean supportsDuplicates) {
    this.router = router;
    this.format = format.withFlags(format.flags() & ~Flag.FORCE_RETURN_VALUE.bit());
    this.supportsDuplicates = supportsDuplicates;
  }

  /** The name of the cache. */
  public String getName() {
    return format.cache().name();
  }

  /** Whether a key may have equal values. */
  public boolean supportsDuplicates() {
    return supportsDuplicates;
  }

  private byte[] bytes(K key) {
    return format.keys().keyBytes(Objects.requireNonNull(key, "key"));
  }

  private MultimapRequest.Target target(int opcode) {
    return new MultimapRequest.Target(opcode, supportsDuplicates, null);
  }

  private MultimapRequest.Target target(int opcode, V value) {
    Objects.requireNonNull(value, "value");
    WrittenValue written = WrittenValue.of(format.values(), value, Lifetime.DEFAULT).owned();
    return new MultimapRequest.Target(opcode, supportsDuplicates, written);
  }

  /** Adds a value to a key; nothing changes if it is there and keys have each value once. */
  public CompletableFuture<@Nullable Void> put(K key, V value) {
    MultimapRequest.Target target = target(Opcodes.PUT_MULTIMAP, value);
    return router.send(new MultimapRequest.Put(format, bytes(key), target));
  }

  /** The values of a key, unmodifiable; none if there is no such key. */
  public CompletableFuture<Collection<V>> get(K key) {
    MultimapRequest.Target target = target(Opcodes.GET_MULTIMAP);
    return router.send(new MultimapRequest.Get<V>(format, bytes(key), target));
  }

  /** The values of a key with version and times, or null if there is no such key. */
  public CompletableFuture<@Nullable MetadataValue<Collection<V>>> getWithMetadata(K key) {
    MultimapRequest.Target target = target(Opcodes.GET_MULTIMAP_WITH_METADATA);
    return router.send(new MultimapRequest.GetWithMetadata<V>(format, bytes(key), target));
  }

  /** Removes a key with all its values; returns whether there was one. */
  public CompletableFuture<Boolean> remove(K key) {
    return truth(bytes(key), target(Opcodes.REMOVE_KEY_MULTIMAP));
  }

  /** Removes a value of a key, all equal ones; returns whether there was one. */
  public CompletableFuture<Boolean> remove(K key, V value) {
    return truth(bytes(key), target(Opcodes.REMOVE_ENTRY_MULTIMAP, value));
  }

  /** Whether a key has values. */
  public CompletableFuture<Boolean> containsKey(K key) {
    return truth(bytes(key), target(Opcodes.CONTAINS_KEY_MULTIMAP));
  }

  /** Whether any key has a value. Goes through all entries of the cluster. */
  public CompletableFuture<Boolean> containsValue(V value) {
    return truth(null, target(Opcodes.CONTAINS_VALUE_MULTIMAP, value));
  }

  /** Whether a key has a value. */
  public CompletableFuture<Boolean> containsEntry(K key, V value) {
    return truth(bytes(key), target(Opcodes.CONTAINS_ENTRY_MULTIMAP, value));
  }

  private CompletableFuture<Boolean> truth(byte @Nullable [] key, MultimapRequest.Target target) {
    return router.send(new MultimapRequest.OfTruth(format, key, target));
  }

  /** The number of values of all keys. Goes through all entries of the cluster. */
  public CompletableFuture<Long> size() {
    return router.send(new MultimapRequest.Size(format, target(Opcodes.SIZE_MULTIMAP)));
  }
}
