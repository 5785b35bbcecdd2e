package dev.isogrid.node;

import dev.isogrid.api.CacheStore;
import dev.isogrid.api.StoreContext;
import dev.isogrid.api.StoreEntry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** A store that the nodes of this process share: all stores with one property {@code id} do. */
public final class CommonStore implements CacheStore<String, Integer> {
  private static final Map<String, Source> SOURCES = new ConcurrentHashMap<>();

  /** The shared source. */
  static final class Source {
    final Map<String, Integer> entries = new ConcurrentHashMap<>();
    final AtomicInteger loads = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();

    /** The properties of each store that was opened. */
    final Set<Map<String, String>> properties = ConcurrentHashMap.newKeySet();

    volatile @Nullable String failure;
  }

  private @Nullable Source source;

  /** For grids, which know the class by its name. */
  public CommonStore() {}

  static Source source(String id) {
    return SOURCES.computeIfAbsent(id, _ -> new Source());
  }

  private Source source() throws IOException {
    Source known = Objects.requireNonNull(source);
    String reason = known.failure;
    if (reason != null) {
      throw new IOException(reason);
    }
    return known;
  }

  @Override
  public void open(StoreContext context) throws IOException {
    source = source(context.property("id", ""));
    source().open.incrementAndGet();
    source().properties.add(context.properties());
  }

  @Override
  public @Nullable StoreEntry<String, Integer> load(String key) throws IOException {
    source().loads.incrementAndGet();
    Integer value = source().entries.get(key);
    return value == null ? null : StoreEntry.of(key, value);
  }

  @Override
  public void write(List<StoreEntry<String, Integer>> batch) throws IOException {
    Source to = source();
    batch.forEach(entry -> to.entries.put(entry.key(), entry.value()));
  }

  @Override
  public void delete(List<String> keys) throws IOException {
    Source from = source();
    keys.forEach(from.entries::remove);
  }

  @Override
  public void publish(IntPredicate segments, Consumer<StoreEntry<String, Integer>> target)
      throws IOException {
    source().entries.forEach((key, value) -> target.accept(StoreEntry.of(key, value)));
  }

  @Override
  public void clear() throws IOException {
    source().entries.clear();
  }

  @Override
  public void close() {
    Objects.requireNonNull(source).open.decrementAndGet();
  }
}
