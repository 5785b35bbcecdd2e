package dev.isogrid.node;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.ProcessedEntry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An entry as a processor sees it, and what it makes of it. Not thread-safe. */
final class EmbeddedProcessedEntry<K, V> implements ProcessedEntry<K, V> {
  private final K key;
  private final long version;
  private @Nullable V value;
  private Expiry expiry = Expiry.DEFAULT;
  private boolean isChanged;

  EmbeddedProcessedEntry(K key, @Nullable V value, long version) {
    this.key = key;
    this.value = value;
    this.version = version;
  }

  @Override
  public K key() {
    return key;
  }

  @Override
  public @Nullable V value() {
    return value;
  }

  @Override
  public long version() {
    return version;
  }

  @Override
  public void set(V value, Expiry expiry) {
    this.value = Objects.requireNonNull(value, "value");
    this.expiry = Objects.requireNonNull(expiry, "expiry");
    isChanged = true;
  }

  @Override
  public void remove() {
    value = null;
    isChanged = true;
  }

  /** Whether the entry is to be changed at all. */
  boolean isChanged() {
    return isChanged;
  }

  /** How long what was set is to live. */
  Expiry expiry() {
    return expiry;
  }
}
