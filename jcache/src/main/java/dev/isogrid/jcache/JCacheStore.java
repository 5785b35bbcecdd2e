package dev.isogrid.jcache;

import dev.isogrid.api.CacheStore;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.StoreContext;
import dev.isogrid.api.StoreEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * A store of a grid's cache that uses a loader and a writer of JCache. So they work for all users
 * of the cache, in clusters too: the cache asks the loader for what is not in memory, once per key
 * at a time, and the writer takes each change before memory does, or behind it.
 *
 * <p>By the name {@value #NAME} each node makes its own loader and writer: the properties {@value
 * #LOADER} and {@value #WRITER} name public classes with public constructors without parameters.
 * Clearing the cache does not reach the writer, as in JCache. Thread-safe if loader and writer are.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class JCacheStore<K, V> implements CacheStore<K, V> {
  /** The name of the store in configurations. */
  public static final String NAME = "jcache";

  /** The property with the class of the loader. */
  public static final String LOADER = "cache-loader";

  /** The property with the class of the writer. */
  public static final String WRITER = "cache-writer";

  private @Nullable CacheLoader<K, V> loader;
  private @Nullable CacheWriter<? super K, ? super V> writer;

  /**
   * A store that takes its loader and writer from the properties, or from here.
   *
   * @param loader null for the one that the properties name, if they do
   * @param writer null for the one that the properties name, if they do
   */
  JCacheStore(
      @Nullable CacheLoader<K, V> loader, @Nullable CacheWriter<? super K, ? super V> writer) {
    this.loader = loader;
    this.writer = writer;
  }

  /**
   * The configuration of a cache of one node that uses these; for clusters see {@link #named}.
   *
   * @param loader null for a cache that only writes
   * @param writer null for a cache that only loads
   */
  public static <K, V> StoreConfig.Builder of(
      @Nullable CacheLoader<K, V> loader, @Nullable CacheWriter<? super K, ? super V> writer) {
    return StoreConfig.of(new JCacheStore<>(loader, writer)).readOnly(writer == null);
  }

  /**
   * The configuration of a cache that uses these classes, of one node or of a cluster.
   *
   * @param loader null for a cache that only writes
   * @param writer null for a cache that only loads
   */
  public static StoreConfig.Builder named(
      @Nullable Class<? extends CacheLoader<?, ?>> loader,
      @Nullable Class<? extends CacheWriter<?, ?>> writer) {
    StoreConfig.Builder config = StoreConfig.named(NAME).shared(true).readOnly(writer == null);
    if (loader != null) {
      config.property(LOADER, loader.getName());
    }
    if (writer != null) {
      config.property(WRITER, writer.getName());
    }
    return config;
  }

  @Override
  @SuppressWarnings("unchecked") // their types are their user's promise
  public void open(StoreContext context) throws ReflectiveOperationException {
    if (loader == null) {
      loader = (CacheLoader<K, V>) made(context, LOADER, CacheLoader.class);
    }
    if (writer == null) {
      writer = (CacheWriter<? super K, ? super V>) made(context, WRITER, CacheWriter.class);
    }
  }

  private static <T> @Nullable T made(StoreContext context, String property, Class<T> type)
      throws ReflectiveOperationException {
    String name = context.property(property, "");
    return name.isEmpty()
        ? null
        : Class.forName(name, true, context.classes())
            .asSubclass(type)
            .getConstructor()
            .newInstance();
  }

  @Override
  public @Nullable StoreEntry<K, V> load(K key) {
    CacheLoader<K, V> asked = loader;
    V value = asked == null ? null : asked.load(key);
    return value == null ? null : StoreEntry.of(key, value);
  }

  @Override
  public void loadAll(List<K> keys, Consumer<StoreEntry<K, V>> found) {
    CacheLoader<K, V> asked = loader;
    if (asked == null) {
      return;
    }
    for (Map.Entry<K, V> loaded : asked.loadAll(keys).entrySet()) {
      if (loaded.getValue() != null && keys.contains(loaded.getKey())) {
        found.accept(StoreEntry.of(loaded.getKey(), loaded.getValue()));
      }
    }
  }

  private CacheWriter<? super K, ? super V> writer() {
    CacheWriter<? super K, ? super V> known = writer;
    if (known == null) {
      throw new CacheWriterException(
          "the store has no writer: set the property %s, or make it read-only".formatted(WRITER));
    }
    return known;
  }

  @Override
  public void write(List<StoreEntry<K, V>> batch) {
    List<Cache.Entry<? extends K, ? extends V>> entries = new ArrayList<>();
    batch.forEach(entry -> entries.add(new WrittenEntry<>(entry.key(), entry.value())));
    write(writer(), entries);
  }

  @SuppressWarnings("unchecked") // a writer of super types writes these keys and values
  private static <K, V> void write(
      CacheWriter<? super K, ? super V> writer,
      List<Cache.Entry<? extends K, ? extends V>> entries) {
    CacheWriter<K, V> same = (CacheWriter<K, V>) writer;
    if (entries.size() == 1) {
      same.write(entries.get(0));
    } else {
      same.writeAll(entries);
    }
  }

  @Override
  public void delete(List<K> keys) {
    if (keys.size() == 1) {
      writer().delete(keys.get(0));
    } else {
      writer().deleteAll(new ArrayList<>(keys));
    }
  }

  /** Shows nothing: a loader does not know its keys. */
  @Override
  public void publish(IntPredicate segments, Consumer<StoreEntry<K, V>> target) {}

  /** Changes nothing: in JCache a clear does not reach the writer. */
  @Override
  public void clear() {}

  @Override
  public void close() {
    Closing.close(loader);
    Closing.close(writer);
  }
}
