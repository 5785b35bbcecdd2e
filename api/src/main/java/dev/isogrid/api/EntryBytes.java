package dev.isogrid.api;

import java.nio.ByteBuffer;

/**
 * An entry as the cache keeps it: the bytes of its key and value where they are, without objects
 * made of them; see {@link Cache#entryBytes}. Valid only during the call that gets it: copy the
 * parts that you keep. For one thread.
 */
public interface EntryBytes {
  /** The key's bytes in the cache's encoding, from index 0 to the limit; read-only, big-endian. */
  ByteBuffer key();

  /**
   * The value's bytes in the cache's encoding, from index 0 to the limit; read-only, big-endian.
   */
  ByteBuffer value();

  /** The number of bytes of the key. */
  int keySize();

  /** The number of bytes of the value. */
  int valueSize();

  /**
   * The key as a number, read without an object: an {@code Integer}, {@code Long}, {@code Short} or
   * {@code Byte} that the built-in marshaller wrote.
   *
   * @throws InvalidRequestException if it is something else
   */
  long keyAsLong();

  /**
   * The value as a number; as {@link #keyAsLong}.
   *
   * @throws InvalidRequestException if it is something else
   */
  long valueAsLong();

  /**
   * The value as a number, read without an object: a {@code Double} or {@code Float} that the
   * built-in marshaller wrote.
   *
   * @throws InvalidRequestException if it is something else
   */
  double valueAsDouble();

  /** The version of the last write to the entry; see {@link CacheEntry#version}. */
  long version();

  /** When the entry was last written, milliseconds since 1970; -1 if it may live for ever. */
  long createdMillis();

  /** The lifespan in milliseconds, or {@link Expiry#UNLIMITED}. */
  long lifespanMillis();

  /** When the entry was last read or written; -1 if it has no max idle. */
  long lastUsedMillis();

  /** The max idle in milliseconds, or {@link Expiry#UNLIMITED}. */
  long maxIdleMillis();
}
