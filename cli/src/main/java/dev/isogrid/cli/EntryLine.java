package dev.isogrid.cli;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry on its way to or from a file. It owns its bytes.
 *
 * <p>A file shows bytes as text where they are UTF-8, and in Base64 where they are not. Either way
 * they come back as they were. The types say what the bytes are, so that a server whose cache keeps
 * another format converts them.
 */
final class EntryLine {
  private final byte[] key;
  private final byte[] value;
  private final @Nullable String keyType;
  private final @Nullable String valueType;
  private final @Nullable Long ttl;
  private final @Nullable Long maxIdle;

  /**
   * Creates an entry.
   *
   * @param key taken
   * @param value taken
   * @param keyType the media type of the key's bytes; null for what the cache keeps
   * @param valueType the media type of the value's bytes; null for none
   * @param ttl seconds to live, below 0 for no end; null for the cache's default
   * @param maxIdle seconds without use, likewise
   */
  EntryLine(
      byte[] key,
      byte[] value,
      @Nullable String keyType,
      @Nullable String valueType,
      @Nullable Long ttl,
      @Nullable Long maxIdle) {
    this.key = key;
    this.value = value;
    this.keyType = keyType;
    this.valueType = valueType;
    this.ttl = ttl;
    this.maxIdle = maxIdle;
  }

  /** Borrowed. */
  byte[] key() {
    return key;
  }

  /** Borrowed. */
  byte[] value() {
    return value;
  }

  @Nullable String keyType() {
    return keyType;
  }

  @Nullable String valueType() {
    return valueType;
  }

  @Nullable Long ttl() {
    return ttl;
  }

  @Nullable Long maxIdle() {
    return maxIdle;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EntryLine line
        && Arrays.equals(key, line.key)
        && Arrays.equals(value, line.value)
        && Objects.equals(keyType, line.keyType)
        && Objects.equals(valueType, line.valueType)
        && Objects.equals(ttl, line.ttl)
        && Objects.equals(maxIdle, line.maxIdle);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(key), Arrays.hashCode(value), keyType, valueType);
  }

  @Override
  public String toString() {
    return "EntryLine[keySize=%d, valueSize=%d, keyType=%s, valueType=%s, ttl=%s, maxIdle=%s]"
        .formatted(key.length, value.length, keyType, valueType, ttl, maxIdle);
  }
}
