package dev.isogrid.server.task;

import dev.isogrid.api.CacheEventConverter;
import dev.isogrid.api.CacheEventConverterFactory;
import dev.isogrid.api.CacheEventFilter;
import dev.isogrid.api.CacheEventFilterConverter;
import dev.isogrid.api.CacheEventFilterConverterFactory;
import dev.isogrid.api.CacheEventFilterFactory;
import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The factories of filters and converters for the listeners of clients, by their names.
 * Thread-safe. Each call runs users' code, which may block.
 */
public final class ListenerFactories {
  private static final int NAME_LENGTH_MAX = 255;

  /** The most characters of a factory's name in an answer. */
  private static final int SHOWN_LENGTH_MAX = 200;

  private final Map<String, CacheEventFilterFactory> filters;
  private final Map<String, CacheEventConverterFactory> converters;
  private final Map<String, CacheEventFilterConverterFactory> filterConverters;

  private ListenerFactories(ClassLoader loader, Set<String> ownNames) {
    this.filters =
        load(CacheEventFilterFactory.class, loader, CacheEventFilterFactory::name, ownNames);
    this.converters =
        load(CacheEventConverterFactory.class, loader, CacheEventConverterFactory::name, ownNames);
    this.filterConverters =
        load(
            CacheEventFilterConverterFactory.class,
            loader,
            CacheEventFilterConverterFactory::name,
            ownNames);
  }

  /**
   * Finds the factories of some jars.
   *
   * @param ownNames names that are taken
   * @throws InvalidRequestException if a name is not allowed or taken
   */
  static ListenerFactories load(ClassLoader loader, Set<String> ownNames) {
    return new ListenerFactories(loader, ownNames);
  }

  private static <T> Map<String, T> load(
      Class<T> type, ClassLoader loader, Function<T, String> nameOf, Set<String> ownNames) {
    Map<String, T> found = new HashMap<>();
    for (T factory : ServiceLoader.load(type, loader)) {
      String name = nameOf.apply(factory);
      String className = factory.getClass().getName();
      if (name.isEmpty() || name.length() > NAME_LENGTH_MAX || ownNames.contains(name)) {
        throw new InvalidRequestException(
            "factory of listeners has no good name: class=%s, name=%s, lengthMax=%d, taken=%s"
                .formatted(className, name, NAME_LENGTH_MAX, ownNames));
      }
      T other = found.putIfAbsent(name, factory);
      if (other != null) {
        throw new InvalidRequestException(
            "two factories of listeners of one name: name=%s, classes=%s, %s"
                .formatted(name, other.getClass().getName(), className));
      }
    }
    return Map.copyOf(found);
  }

  /**
   * The filter of a listener.
   *
   * @throws InvalidRequestException if there is no such factory, or it fails
   */
  public CacheEventFilter<?, ?> filter(String name, List<Object> parameters) {
    CacheEventFilterFactory factory = known(filters.get(name), "key/value filter", name);
    return made(name, () -> factory.newFilter(parameters));
  }

  /** The converter of a listener; throws as {@link #filter}. */
  public CacheEventConverter<?, ?> converter(String name, List<Object> parameters) {
    CacheEventConverterFactory factory = known(converters.get(name), "converter", name);
    return made(name, () -> factory.newConverter(parameters));
  }

  /** The converting filter of a listener; throws as {@link #filter}. */
  public CacheEventFilterConverter<?, ?> filterConverter(String name, List<Object> parameters) {
    CacheEventFilterConverterFactory factory = known(filterConverters.get(name), "converter", name);
    return made(name, () -> factory.newFilterConverter(parameters));
  }

  private static <T> T known(@Nullable T factory, String kind, String name) {
    if (factory == null) {
      String shown =
          name.length() <= SHOWN_LENGTH_MAX ? name : name.substring(0, SHOWN_LENGTH_MAX) + "...";
      throw new InvalidRequestException(
          "Listener %s factory '%s' not found in server; add its jar to the folder of --tasks"
              .formatted(kind, shown));
    }
    return factory;
  }

  private interface Maker<T> {
    T make() throws Exception;
  }

  private static <T> T made(String name, Maker<T> maker) {
    try {
      T made = maker.make();
      if (made == null) {
        throw new NullPointerException("factory gave nothing");
      }
      return made;
    } catch (GridException known) {
      throw known;
    } catch (Exception | LinkageError failure) {
      throw new InvalidRequestException(
          "factory of listeners failed: name=%s, %s".formatted(name, failure), failure);
    }
  }
}
