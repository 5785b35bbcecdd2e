package dev.isogrid.api;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a cache: an immutable value, made by {@link #builder()}.
 *
 * @param mode which members hold an entry
 * @param owners copies of an entry in a distributed cache, 1 to 255
 * @param minInSync the least in-sync copies of an entry with which it may be written, 1 to the
 *     owners, or to 255 unless the cache is distributed; of no meaning in caches that are neither
 *     distributed nor replicated
 * @param segments parts that the cache is cut into, 1 to 65,536, fixed for its life
 * @param storage how entries are kept
 * @param compression how values are made smaller; only for storages that keep bytes
 * @param maxCount the most entries, or -1 if unlimited
 * @param maxSizeBytes the most memory of the entries and their index in bytes, as {@link
 *     MemoryUse#allocatedBytes} counts it, or -1 if unlimited; at most one of the two bounds is set
 * @param whenFull what happens to a write that would take the cache over its bound
 * @param whenSplit what operations do where the majority of the cluster can't be reached; of no
 *     meaning in a local cache
 * @param mergePolicy decides on entries that both sides of a split changed; of no meaning unless
 *     {@link WhenSplit#ALLOW_READ_WRITES}
 * @param lifespanMillis lifespan of entries written without one, 1 or more, or -1 if unlimited
 * @param maxIdleMillis max idle of entries written without one, 1 or more, or -1 if unlimited; less
 *     than the lifespan if both are limited
 * @param reaperIntervalMillis how often expired entries are looked for, or a number below 1 for
 *     never (they are still never returned, but keep their memory until they are touched)
 * @param statistics whether hits, misses and stores are counted
 * @param keyMediaType media type of the stored keys; {@code application/unknown} stands for opaque
 *     bytes
 * @param valueMediaType media type of the stored values
 * @param keyMarshaller how keys become bytes; null for the grid's, {@link GridConfig#marshaller}
 * @param valueMarshaller how values become bytes; null for the grid's
 * @param authorization whom a server lets use the cache
 * @param fileStore where entries outlive the process, or null if they don't; {@link
 *     Builder#fileStore} says which caches can have one
 * @param store where entries are kept outside of the grid, or null; never with a file store
 */
public record CacheConfig(
    CacheMode mode,
    int owners,
    int minInSync,
    int segments,
    StorageType storage,
    Compression compression,
    long maxCount,
    long maxSizeBytes,
    WhenFull whenFull,
    WhenSplit whenSplit,
    MergePolicy mergePolicy,
    long lifespanMillis,
    long maxIdleMillis,
    long reaperIntervalMillis,
    boolean statistics,
    String keyMediaType,
    String valueMediaType,
    @Nullable Marshaller<?> keyMarshaller,
    @Nullable Marshaller<?> valueMarshaller,
    CacheAuthorization authorization,
    @Nullable FileStore fileStore,
    @Nullable StoreConfig store) {

  /** The most segments that a cache can have; keeps the table sent to clients small. */
  public static final int SEGMENTS_MAX = 65_536;

  /** The most owners of an entry; the number travels in one byte. */
  public static final int OWNERS_MAX = 255;

  /** A bound that is none. */
  public static final long UNBOUNDED = -1;

  /** The smallest bound in bytes: below it the index and a page could not be had. */
  public static final long MAX_SIZE_MIN = 64 << 10;

  /** The media type of bytes that nothing is known of. */
  public static final String UNKNOWN_MEDIA_TYPE = "application/unknown";

  /**
   * Checks the values.
   *
   * @throws InvalidConfigurationException if one is out of its range, naming it
   */
  public CacheConfig {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(storage, "storage");
    Objects.requireNonNull(compression, "compression");
    Objects.requireNonNull(whenFull, "whenFull");
    Objects.requireNonNull(whenSplit, "whenSplit");
    Objects.requireNonNull(mergePolicy, "mergePolicy");
    Objects.requireNonNull(keyMediaType, "keyMediaType");
    Objects.requireNonNull(valueMediaType, "valueMediaType");
    Objects.requireNonNull(authorization, "authorization");
    require(owners >= 1 && owners <= OWNERS_MAX, "owners", owners, "1 to " + OWNERS_MAX);
    int minInSyncMax = isDistributed(mode) ? owners : OWNERS_MAX;
    require(
        minInSync >= 1 && minInSync <= minInSyncMax,
        "min-in-sync",
        minInSync,
        "1 to " + minInSyncMax);
    require(
        segments >= 1 && segments <= SEGMENTS_MAX, "segments", segments, "1 to " + SEGMENTS_MAX);
    maxCount = Math.max(maxCount, UNBOUNDED);
    maxSizeBytes = Math.max(maxSizeBytes, UNBOUNDED);
    require(maxCount != 0, "max-count", maxCount, "1 or more, or -1 for no bound");
    require(
        maxSizeBytes < 0 || maxSizeBytes >= MAX_SIZE_MIN,
        "max-size",
        maxSizeBytes,
        MAX_SIZE_MIN + " bytes or more, or -1 for no bound");
    require(
        maxCount < 0 || maxSizeBytes < 0, "max-size", maxSizeBytes, "-1 if max-count is bounded");
    lifespanMillis = Math.max(lifespanMillis, Expiry.UNLIMITED);
    maxIdleMillis = Math.max(maxIdleMillis, Expiry.UNLIMITED);
    require(lifespanMillis != 0, "lifespan", lifespanMillis, "1 ms or more, or -1 for no limit");
    require(maxIdleMillis != 0, "max-idle", maxIdleMillis, "1 ms or more, or -1 for no limit");
    boolean bothLimited = lifespanMillis >= 0 && maxIdleMillis >= 0;
    require(
        !bothLimited || maxIdleMillis < lifespanMillis,
        "max-idle",
        maxIdleMillis,
        "less than the lifespan of " + lifespanMillis + " ms");
    requireCompressible(storage, compression);
    requireStorable(maxCount >= 0 || maxSizeBytes >= 0, whenFull, fileStore);
    if (fileStore != null && store != null) {
      throw new InvalidConfigurationException(
          "a cache can't have a file store and another store: type=%s; leave out one of them"
              .formatted(store.type()));
    }
  }

  private static void requireCompressible(StorageType storage, Compression compression) {
    if (compression != Compression.NONE && storage == StorageType.HEAP_OBJECT) {
      throw new InvalidConfigurationException(
          "a cache of objects can't be compressed: storage=%s, compression=%s; use %s or %s"
              .formatted(storage, compression, StorageType.OFF_HEAP, StorageType.HEAP_BINARY));
    }
  }

  private static void requireStorable(
      boolean isBounded, WhenFull whenFull, @Nullable FileStore fileStore) {
    if (fileStore != null && fileStore.readOnly() && isBounded && whenFull == WhenFull.REMOVE) {
      throw new InvalidConfigurationException(
          "a cache can't evict entries to a store that is only read: read-only=true,"
              + " when-full=REMOVE; use EXCEPTION, or set no bound");
    }
  }

  private static void require(boolean holds, String name, long value, String range) {
    if (!holds) {
      throw new InvalidConfigurationException(
          "invalid cache configuration: %s=%d; allowed is %s".formatted(name, value, range));
    }
  }

  private static boolean isDistributed(CacheMode mode) {
    return mode == CacheMode.DIST_SYNC || mode == CacheMode.DIST_ASYNC;
  }

  /** Whether the number or the memory of the entries is bounded. */
  public boolean isBounded() {
    return maxCount >= 0 || maxSizeBytes >= 0;
  }

  /** A builder that starts from the defaults of a local embedded cache. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder that starts from this configuration. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Collects the attributes of a {@link CacheConfig}. Not thread-safe. */
  public static final class Builder {
    private CacheMode mode = CacheMode.LOCAL;
    private int owners = 2;
    private int minInSync = 1;
    private int segments = 256;
    private StorageType storage = StorageType.HEAP_OBJECT;
    private Compression compression = Compression.NONE;
    private long maxCount = UNBOUNDED;
    private long maxSizeBytes = UNBOUNDED;
    private WhenFull whenFull = WhenFull.REMOVE;
    private WhenSplit whenSplit = WhenSplit.DENY_READ_WRITES;
    private MergePolicy mergePolicy = MergePolicy.NONE;
    private long lifespanMillis = Expiry.UNLIMITED;
    private long maxIdleMillis = Expiry.UNLIMITED;
    private long reaperIntervalMillis = 60_000;
    private boolean statistics;
    private String keyMediaType = UNKNOWN_MEDIA_TYPE;
    private String valueMediaType = UNKNOWN_MEDIA_TYPE;
    private @Nullable Marshaller<?> keyMarshaller;
    private @Nullable Marshaller<?> valueMarshaller;
    private CacheAuthorization authorization = CacheAuthorization.ALL_ROLES;
    private @Nullable FileStore fileStore;
    private @Nullable StoreConfig store;

    private Builder() {}

    private Builder(CacheConfig config) {
      mode = config.mode;
      owners = config.owners;
      minInSync = config.minInSync;
      segments = config.segments;
      storage = config.storage;
      compression = config.compression;
      maxCount = config.maxCount;
      maxSizeBytes = config.maxSizeBytes;
      whenFull = config.whenFull;
      whenSplit = config.whenSplit;
      mergePolicy = config.mergePolicy;
      lifespanMillis = config.lifespanMillis;
      maxIdleMillis = config.maxIdleMillis;
      reaperIntervalMillis = config.reaperIntervalMillis;
      statistics = config.statistics;
      keyMediaType = config.keyMediaType;
      valueMediaType = config.valueMediaType;
      keyMarshaller = config.keyMarshaller;
      valueMarshaller = config.valueMarshaller;
      authorization = config.authorization;
      fileStore = config.fileStore;
      store = config.store;
    }

    /** Sets which members hold an entry; default {@link CacheMode#LOCAL}. */
    public Builder mode(CacheMode mode) {
      this.mode = mode;
      return this;
    }

    /** Sets the copies of an entry in a distributed cache, 1 to 255; default 2. */
    public Builder owners(int owners) {
      this.owners = owners;
      return this;
    }

    /**
     * Sets the least in-sync copies with which entries may be written, 1 to the owners; default 1.
     * With fewer, which is so when nodes are gone and copies are not made anew yet, writes fail
     * with a {@link RetryableGridException}. Reads go on.
     */
    public Builder minInSync(int copies) {
      this.minInSync = copies;
      return this;
    }

    /** Sets the parts that the cache is cut into, 1 to 65,536; default 256. */
    public Builder segments(int segments) {
      this.segments = segments;
      return this;
    }

    /** Sets how entries are kept; default {@link StorageType#HEAP_OBJECT}. */
    public Builder storage(StorageType storage) {
      this.storage = storage;
      return this;
    }

    /**
     * Sets how values are made smaller; default {@link Compression#NONE}. Anything else needs a
     * storage that keeps bytes.
     */
    public Builder compression(Compression compression) {
      this.compression = compression;
      return this;
    }

    /** Sets the most entries; negative, the default, for no bound. */
    public Builder maxCount(long maxCount) {
      this.maxCount = maxCount;
      return this;
    }

    /** Sets the most memory in bytes, 65,536 or more; negative, the default, for no bound. */
    public Builder maxSize(long bytes) {
      this.maxSizeBytes = bytes;
      return this;
    }

    /** Sets what happens to a write over the bound; default {@link WhenFull#REMOVE}. */
    public Builder whenFull(WhenFull whenFull) {
      this.whenFull = whenFull;
      return this;
    }

    /**
     * Sets what operations do where the majority of the cluster can't be reached; default {@link
     * WhenSplit#DENY_READ_WRITES}.
     */
    public Builder whenSplit(WhenSplit whenSplit) {
      this.whenSplit = whenSplit;
      return this;
    }

    /**
     * Sets what decides on entries that both sides of a split changed; default {@link
     * MergePolicy#NONE}.
     */
    public Builder mergePolicy(MergePolicy mergePolicy) {
      this.mergePolicy = mergePolicy;
      return this;
    }

    /**
     * Sets the lifespan of entries written without one.
     *
     * @param lifespan the time, 1 ms at least; negative, the default, for no limit; 0 is refused
     * @param unit its unit
     */
    public Builder lifespan(long lifespan, TimeUnit unit) {
      this.lifespanMillis = millis(lifespan, unit);
      return this;
    }

    /** As {@link Expiry}: parts of a millisecond are cut off, but never the whole time. */
    private static long millis(long time, TimeUnit unit) {
      Objects.requireNonNull(unit, "unit");
      if (time <= 0) {
        return time < 0 ? Expiry.UNLIMITED : 0;
      }
      return Math.max(1, unit.toMillis(time));
    }

    /** As {@link #lifespan(long, TimeUnit)}. */
    public Builder lifespan(Duration lifespan) {
      return lifespan(
          TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(lifespan, "lifespan")),
          TimeUnit.NANOSECONDS);
    }

    /**
     * Sets the max idle of entries written without one.
     *
     * @param maxIdle the time, 1 ms at least; negative, the default, for no limit; 0 is refused
     * @param unit its unit
     */
    public Builder maxIdle(long maxIdle, TimeUnit unit) {
      this.maxIdleMillis = millis(maxIdle, unit);
      return this;
    }

    /** As {@link #maxIdle(long, TimeUnit)}. */
    public Builder maxIdle(Duration maxIdle) {
      return maxIdle(
          TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(maxIdle, "maxIdle")),
          TimeUnit.NANOSECONDS);
    }

    /** Sets how often expired entries are looked for; default 1 minute, below 1 ms never. */
    public Builder reaperInterval(long interval, TimeUnit unit) {
      this.reaperIntervalMillis = Objects.requireNonNull(unit, "unit").toMillis(interval);
      return this;
    }

    /** As {@link #reaperInterval(long, TimeUnit)}. */
    public Builder reaperInterval(Duration interval) {
      return reaperInterval(
          TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(interval, "interval")),
          TimeUnit.NANOSECONDS);
    }

    /** Sets whether hits, misses and stores are counted; default no. */
    public Builder statistics(boolean statistics) {
      this.statistics = statistics;
      return this;
    }

    /**
     * Sets the media types of the stored keys and values. A cache that a grid makes from a
     * configuration without them has those of its marshallers.
     */
    public Builder encoding(String keyMediaType, String valueMediaType) {
      this.keyMediaType = keyMediaType;
      this.valueMediaType = valueMediaType;
      return this;
    }

    /**
     * Sets how keys become bytes where the storage keeps bytes; default null for the grid's
     * marshaller. In a cluster the marshaller is part of the cache's definition: its class is
     * public and has a public constructor without parameters, or all nodes name it by {@link
     * GridConfig.Builder#marshaller(String, Marshaller)}.
     */
    public Builder keyMarshaller(@Nullable Marshaller<?> marshaller) {
      this.keyMarshaller = marshaller;
      return this;
    }

    /** Sets how values become bytes where the storage keeps bytes. See {@link #keyMarshaller}. */
    public Builder valueMarshaller(@Nullable Marshaller<?> marshaller) {
      this.valueMarshaller = marshaller;
      return this;
    }

    /** Sets whom a server lets use the cache; default {@link CacheAuthorization#ALL_ROLES}. */
    public Builder authorization(CacheAuthorization authorization) {
      this.authorization = authorization;
      return this;
    }

    /**
     * Sets where entries outlive the process; default null, for memory only. A cache with a bound
     * and {@link WhenFull#REMOVE} keeps evicted entries on the disk.
     *
     * <p>A grid without a cluster takes a store for caches of all modes. A node of a cluster takes
     * it for a local cache, and for a synchronous distributed or replicated one that does not write
     * on both sides of a split ({@link WhenSplit#ALLOW_READ_WRITES}); all nodes need a data folder
     * then. It refuses other caches with a store when they are created.
     */
    public Builder fileStore(@Nullable FileStore fileStore) {
      this.fileStore = fileStore;
      return this;
    }

    /**
     * Sets where entries are kept outside of the grid, such as in a database; default null, for
     * nowhere.
     */
    public Builder store(@Nullable StoreConfig store) {
      this.store = store;
      return this;
    }

    /** As {@link #loader(CacheLoader, LoadingConfig)} with {@link LoadingConfig#DEFAULT}. */
    public Builder loader(CacheLoader<?, ?> loader) {
      return loader(loader, LoadingConfig.DEFAULT);
    }

    /**
     * Sets that a read of an entry that is not there loads it; one load runs per key. Writes of the
     * cache change memory only. In a cluster the loader must be named, see {@link #loader(String,
     * LoadingConfig)}. The same as {@link #store} with {@link StoreConfig#loading}.
     */
    public Builder loader(CacheLoader<?, ?> loader, LoadingConfig config) {
      return store(StoreConfig.loading(loader, config).build());
    }

    /**
     * As {@link #loader(CacheLoader, LoadingConfig)}, for a loader that each node makes. It is part
     * of the cache's definition, so reads on any node load, those of clients of servers too; one
     * load runs per key on all nodes. {@link Cache#get} and {@link Cache#getAsync} on a node
     * refresh entries; reads of clients don't.
     *
     * @param type the name of a public class with a public constructor without parameters
     */
    public Builder loader(String type, LoadingConfig config) {
      return store(StoreConfig.loading(type, config).build());
    }

    /**
     * The configuration.
     *
     * @throws InvalidConfigurationException if a value is out of its range, naming it
     */
    public CacheConfig build() {
      return new CacheConfig(
          mode,
          owners,
          minInSync,
          segments,
          storage,
          compression,
          maxCount,
          maxSizeBytes,
          whenFull,
          whenSplit,
          mergePolicy,
          lifespanMillis,
          maxIdleMillis,
          reaperIntervalMillis,
          statistics,
          keyMediaType,
          valueMediaType,
          keyMarshaller,
          valueMarshaller,
          authorization,
          fileStore,
          store);
    }
  }
}
