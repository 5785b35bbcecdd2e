package dev.isogrid.engine;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.Arrays;

/**
 * How the keys and values of a container become bytes of a store, and back. Thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public interface StoredForm<K, V> {
  /** The form of containers that keep bytes. */
  StoredForm<BinaryKey, Bytes> BYTES =
      new StoredForm<>() {
        @Override
        public BinaryKey stored(BinaryKey key) {
          return key;
        }

        @Override
        public Bytes storedValue(Bytes value) {
          return value;
        }

        @Override
        public BinaryKey key(byte[] stored) {
          return BinaryKey.of(stored);
        }

        @Override
        public BinaryKey keyIn(byte[] array, int offset, int length) {
          return new BinaryKey().set(array, offset, length);
        }

        @Override
        public boolean isKey(BinaryKey key, byte[] stored) {
          return Arrays.equals(key.toByteArray(), stored);
        }

        @Override
        public Bytes value(byte[] stored) {
          return Bytes.of(stored);
        }

        @Override
        public Bytes valueIn(byte[] array, int offset, int length) {
          return Bytes.of(array, offset, length);
        }

        @Override
        public int hash(BinaryKey key) {
          return key.hash();
        }

        @Override
        public boolean hasLastingHash() {
          return true;
        }
      };

  /** Returns the bytes of a key, valid as long as the key is. */
  BinaryKey stored(K key);

  /** Returns the bytes of a value, valid as long as the value is. */
  Bytes storedValue(V value);

  /** Returns the key of such bytes, which it takes. */
  K key(byte[] stored);

  /** Returns the key of the bytes in a part of an array, which it borrows while it is used. */
  default K keyIn(byte[] array, int offset, int length) {
    return key(Arrays.copyOfRange(array, offset, offset + length));
  }

  /** Returns whether such bytes are those of a key. */
  default boolean isKey(K key, byte[] stored) {
    return key(stored).equals(key);
  }

  /** Returns the value of such bytes, which it takes. */
  V value(byte[] stored);

  /** Returns the value of the bytes in a part of an array, which it borrows while it is used. */
  default V valueIn(byte[] array, int offset, int length) {
    return value(Arrays.copyOfRange(array, offset, offset + length));
  }

  /** Returns the hash that decides on the segment. */
  int hash(K key);

  /** Returns whether a key has the same hash in all processes. */
  boolean hasLastingHash();
}
