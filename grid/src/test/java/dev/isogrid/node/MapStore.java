package dev.isogrid.node;

import dev.isogrid.api.CacheStore;
import dev.isogrid.api.StoreContext;
import dev.isogrid.api.StoreEntry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** A store in memory that fails when it is told to, and says what it was asked for. */
final class MapStore implements CacheStore<String, String> {
  final Map<String, StoreEntry<String, String>> entries = new ConcurrentHashMap<>();
  final ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();
  volatile @Nullable String failure;

  /** A key that can't be written. */
  volatile @Nullable String poison;

  volatile boolean isOpen;

  private void call(String what) throws IOException {
    calls.add(what);
    String reason = failure;
    if (reason != null) {
      throw new IOException(reason);
    }
  }

  /** Puts an entry there that never expires. */
  void have(String key, String value) {
    entries.put(key, StoreEntry.of(key, value));
  }

  @Nullable String value(String key) {
    StoreEntry<String, String> entry = entries.get(key);
    return entry == null ? null : entry.value();
  }

  @Override
  public void open(StoreContext context) throws IOException {
    call("open " + context.cache());
    isOpen = true;
  }

  @Override
  public @Nullable StoreEntry<String, String> load(String key) throws IOException {
    call("load " + key);
    return entries.get(key);
  }

  @Override
  public void loadAll(List<String> keys, Consumer<StoreEntry<String, String>> found)
      throws IOException {
    call("loadAll " + keys.stream().sorted().toList());
    for (String key : keys) {
      StoreEntry<String, String> entry = entries.get(key);
      if (entry != null) {
        found.accept(entry);
      }
    }
  }

  @Override
  public void write(List<StoreEntry<String, String>> batch) throws IOException {
    call("write " + batch.stream().map(StoreEntry::key).sorted().toList());
    for (StoreEntry<String, String> entry : batch) {
      if (entry.key().equals(poison)) {
        throw new IOException("value too long");
      }
    }
    batch.forEach(entry -> entries.put(entry.key(), entry));
  }

  @Override
  public void delete(List<String> keys) throws IOException {
    call("delete " + keys);
    keys.forEach(entries::remove);
  }

  @Override
  public void publish(IntPredicate segments, Consumer<StoreEntry<String, String>> target)
      throws IOException {
    call("publish");
    entries.values().forEach(target);
  }

  @Override
  public void clear() throws IOException {
    call("clear");
    entries.clear();
  }

  @Override
  public void close() {
    isOpen = false;
  }
}
