package dev.isogrid.stream;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.ObjectTables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keys by their segments. */
final class SegmentKeys {
  private SegmentKeys() {}

  /** The hash of a stored key. */
  static int hash(Object stored) {
    return stored instanceof BinaryKey key ? key.hash() : ObjectTables.hash(stored);
  }

  /** Keys of users, each once. */
  @SuppressWarnings("unchecked") // as in every Map: a key of another type is in no entry
  static <K, S> Map<Integer, List<S>> of(StreamCache<K, ?, S, ?> cache, Set<?> keys) {
    List<S> stored = new ArrayList<>();
    for (Object key : keys) {
      stored.add(cache.form().storedKey((K) key));
    }
    return grouped(cache.engine(), stored);
  }

  /** Keys as bytes, each once. */
  static Map<Integer, List<BinaryKey>> of(CacheEngine<BinaryKey, ?> engine, byte[][] keys) {
    List<BinaryKey> stored = new ArrayList<>();
    for (byte[] key : keys) {
      stored.add(BinaryKey.of(key));
    }
    return grouped(engine, stored);
  }

  private static <S> Map<Integer, List<S>> grouped(CacheEngine<S, ?> engine, List<S> keys) {
    Map<Integer, List<S>> grouped = new HashMap<>();
    Set<Object> known = new HashSet<>();
    for (S key : keys) {
      if (known.add(key instanceof BinaryKey binary ? ByteString.of(binary.toByteArray()) : key)) {
        grouped.computeIfAbsent(engine.segmentOf(hash(key)), _ -> new ArrayList<>()).add(key);
      }
    }
    return grouped;
  }
}
