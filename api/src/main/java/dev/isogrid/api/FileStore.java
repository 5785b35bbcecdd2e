package dev.isogrid.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The store of a local cache: files on this node's disk, from which all entries are loaded when the
 * cache is created again. An immutable value, made by {@link #builder()}.
 *
 * @param path the folder that the cache's own folder is made in; a relative one is below the node's
 *     data folder; null for the folder {@code stores} there
 * @param fsync when a write is on the disk
 * @param intervalMillis the most time until then with {@link Fsync#INTERVAL}, 1 or more
 * @param purge whether what the store has is deleted when the cache is created
 * @param readOnly whether the store is only loaded, and never written
 */
public record FileStore(
    @Nullable String path, Fsync fsync, long intervalMillis, boolean purge, boolean readOnly) {
  /**
   * Checks the values.
   *
   * @throws InvalidConfigurationException if one is out of its range, naming it
   */
  public FileStore {
    if (intervalMillis < 1) {
      throw new InvalidConfigurationException(
          "invalid file store: fsync-interval=%d; allowed is 1 ms or more"
              .formatted(intervalMillis));
    }
    if (purge && readOnly) {
      throw new InvalidConfigurationException(
          "invalid file store: purge and read-only; set one of them at most");
    }
  }

  /** A builder that starts from the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the attributes of a {@link FileStore}. Not thread-safe. */
  public static final class Builder {
    private @Nullable String path;
    private Fsync fsync = Fsync.INTERVAL;
    private long intervalMillis = 1000;
    private boolean purge;
    private boolean readOnly;

    private Builder() {}

    /** Sets the folder; default null, for the folder {@code stores} of the node's data folder. */
    public Builder path(@Nullable String path) {
      this.path = path;
      return this;
    }

    /** Sets when a write is on the disk; default {@link Fsync#INTERVAL}. */
    public Builder fsync(Fsync fsync) {
      this.fsync = fsync;
      return this;
    }

    /** Sets the most time until a write is on the disk; default 1 second. */
    public Builder fsyncInterval(Duration interval) {
      this.intervalMillis = interval.toMillis();
      return this;
    }

    /** Sets whether the entries of an earlier cache are deleted first; default no. */
    public Builder purge(boolean purge) {
      this.purge = purge;
      return this;
    }

    /** Sets whether entries are only loaded; writes then are in memory only. Default no. */
    public Builder readOnly(boolean readOnly) {
      this.readOnly = readOnly;
      return this;
    }

    /**
     * The store.
     *
     * @throws InvalidConfigurationException if a value is out of its range, naming it
     */
    public FileStore build() {
      return new FileStore(path, fsync, intervalMillis, purge, readOnly);
    }
  }
}
