package dev.isogrid.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * Calls the writer of a cache that writes through, or does nothing; its exceptions are wrapped in
 * {@link CacheWriterException}.
 *
 * @param writer null for none
 */
record Writing<K, V>(@Nullable CacheWriter<K, V> writer) {
  /** The outcome of a bulk write: the failed part, and the reason. */
  record Rest<T>(Collection<T> undone, @Nullable CacheWriterException failure) {
    void throwFailure() {
      if (failure != null) {
        throw failure;
      }
    }
  }

  void write(K key, V value) {
    if (writer != null) {
      CacheWriter<K, V> used = writer;
      guarded(() -> used.write(new WrittenEntry<>(key, value)));
    }
  }

  void delete(K key) {
    if (writer != null) {
      CacheWriter<K, V> used = writer;
      guarded(() -> used.delete(key));
    }
  }

  /** Writes all, as far as the writer can. */
  Rest<Cache.Entry<? extends K, ? extends V>> writeAll(
      List<Cache.Entry<? extends K, ? extends V>> entries) {
    if (writer == null || entries.isEmpty()) {
      return new Rest<>(List.of(), null);
    }
    CacheWriter<K, V> used = writer;
    Collection<Cache.Entry<? extends K, ? extends V>> undone = new ArrayList<>(entries);
    try {
      guarded(() -> used.writeAll(undone));
      return new Rest<>(List.of(), null);
    } catch (CacheWriterException e) {
      return new Rest<>(undone, e);
    }
  }

  /** Deletes all, as far as the writer can. */
  Rest<Object> deleteAll(Collection<? extends K> keys) {
    if (writer == null || keys.isEmpty()) {
      return new Rest<>(List.of(), null);
    }
    CacheWriter<K, V> used = writer;
    Collection<Object> undone = new ArrayList<>(keys);
    try {
      guarded(() -> used.deleteAll(undone));
      return new Rest<>(List.of(), null);
    } catch (CacheWriterException e) {
      return new Rest<>(undone, e);
    }
  }

  private void guarded(Runnable call) {
    try {
      call.run();
    } catch (CacheWriterException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheWriterException("the writer failed: " + writer, e);
    }
  }
}
