package dev.isogrid.jcache;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** Iterates over a cache: each entry given out is a read of it. Used by one thread. */
final class EntryCursor<K, V> implements Iterator<Cache.Entry<K, V>> {
  private final Iterator<Map.Entry<K, V>> entries;
  private final Consumer<K> reader;
  private final Consumer<K> remover;
  private @Nullable K last;

  /**
   * Begins before the first entry.
   *
   * @param reader notes that an entry was read
   * @param remover removes an entry
   */
  EntryCursor(Iterator<Map.Entry<K, V>> entries, Consumer<K> reader, Consumer<K> remover) {
    this.entries = entries;
    this.reader = reader;
    this.remover = remover;
  }

  @Override
  public boolean hasNext() {
    return entries.hasNext();
  }

  @Override
  public Cache.Entry<K, V> next() {
    if (!entries.hasNext()) {
      throw new NoSuchElementException();
    }
    Map.Entry<K, V> entry = entries.next();
    last = entry.getKey();
    reader.accept(last);
    return new WrittenEntry<>(last, entry.getValue());
  }

  @Override
  public void remove() {
    if (last == null) {
      throw new IllegalStateException("no entry to remove: call next first");
    }
    remover.accept(last);
    last = null;
  }
}
