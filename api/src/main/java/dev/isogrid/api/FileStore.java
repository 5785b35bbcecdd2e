package dev.isogrid.api;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The store of a cache: files on this node's disk, from which all entries are loaded when the cache
 * is created again. An immutable value, made by {@link #builder()}.
 *
 * @param path the parent of the cache's own folder; null for the folder {@code stores} of the
 *     node's data folder. A relative one is below that, and each of its folders has a name that
 *     begins with {@code @}
 * @param fsync the time at which a write is forced to the disk
 * @param intervalMillis the most time until then with {@link Fsync#INTERVAL}, 1 or more
 * @param purge whether the store's entries are deleted when the cache is created
 * @param readOnly whether the store is only loaded, and never written
 * @param retentionMillis how long changes are kept for {@link Cache#changes} at least; 0 for as
 *     long as the space that they take is not wanted back
 */
public record FileStore(
    @Nullable String path,
    Fsync fsync,
    long intervalMillis,
    boolean purge,
    boolean readOnly,
    long retentionMillis) {
  /** A store without a retention. */
  public FileStore(
      @Nullable String path, Fsync fsync, long intervalMillis, boolean purge, boolean readOnly) {
    this(path, fsync, intervalMillis, purge, readOnly, 0);
  }

  /**
   * Checks the values.
   *
   * @throws InvalidConfigurationException if one is out of its range, naming it
   */
  public FileStore {
    Objects.requireNonNull(fsync, "fsync");
    if (path != null) {
      requireUsable(path);
    }
    if (intervalMillis < 1) {
      throw new InvalidConfigurationException(
          "invalid file store: fsync-interval=%d; allowed is 1 ms or more"
              .formatted(intervalMillis));
    }
    if (retentionMillis < 0) {
      throw new InvalidConfigurationException(
          "invalid file store: retention=%d; allowed is 0 ms or more".formatted(retentionMillis));
    }
    if (purge && readOnly) {
      throw new InvalidConfigurationException(
          "invalid file store: purge and read-only; set one of them at most");
    }
  }

  private static void requireUsable(String path) {
    Path parsed;
    try {
      parsed = Path.of(path);
    } catch (InvalidPathException failure) {
      throw new InvalidConfigurationException(
          "invalid file store: path=%s, reason=%s; choose another one"
              .formatted(path, failure.getReason()));
    }
    if (path.isBlank()) {
      throw new InvalidConfigurationException(
          "invalid file store: path is empty; name a folder, or leave it out");
    }
    for (Path element : parsed) {
      if (parsed.getRoot() == null && element.toString().equals("..")) {
        throw new InvalidConfigurationException(
            "invalid file store: path=%s; a relative path can't contain .., use an absolute one"
                .formatted(path));
      }
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
    private long retentionMillis;

    private Builder() {}

    /**
     * Sets the folder, absolute or below {@code stores} of the node's data folder; default null,
     * for that one.
     */
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
      this.intervalMillis =
          TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(interval, "interval"));
      return this;
    }

    /** Sets whether the entries of an earlier cache are deleted first; default no. */
    public Builder purge(boolean purge) {
      this.purge = purge;
      return this;
    }

    /**
     * Sets how long changes are kept for {@link Cache#changes} at least; default 0. All writes of
     * that time stay on the disk.
     */
    public Builder retention(Duration retention) {
      this.retentionMillis =
          TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(retention, "retention"));
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
      return new FileStore(path, fsync, intervalMillis, purge, readOnly, retentionMillis);
    }
  }
}
