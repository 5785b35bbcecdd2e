package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.api.StorageType;
import dev.isogrid.codec.BuiltInMarshaller;
import dev.isogrid.codec.NamedMarshaller;
import dev.isogrid.types.ObjectMarshaller;
import dev.isogrid.types.SchemaRegistry;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The marshallers of a node's caches. Thread-safe. */
final class CacheMarshallers {
  /*
   * A definition that says nothing means the built-in marshaller, on all nodes. A definition names
   * any other one: by the name that GridConfig gives it, or by its class. Names are looked up when
   * the cache is used first. So a node that lacks the marshaller keeps its copies of
   * the entries and serves other nodes all the same. The order is: a marshaller of that name, the
   * grid's own one if it is of that class, a new one.
   */
  private final GridConfig grid;
  private final String nodeName;
  private final SchemaRegistry schemas;
  private final @Nullable ClassLoader loader;
  private final BuiltInMarshaller builtIn;

  /**
   * For a node. Other classes than this library's are found by the loader of the calling thread.
   *
   * @param ownClasses a loader to ask first, or null
   */
  CacheMarshallers(
      GridConfig grid, String nodeName, SchemaRegistry schemas, @Nullable ClassLoader ownClasses) {
    this.grid = grid;
    this.nodeName = nodeName;
    this.schemas = schemas;
    this.loader = ownClasses == null ? threadLoader() : ownClasses;
    this.builtIn = new BuiltInMarshaller(() -> objects(ownClasses).withRegistry(schemas));
  }

  private ObjectMarshaller objects(@Nullable ClassLoader ownClasses) {
    if (grid.marshaller() instanceof ObjectMarshaller known) {
      return known;
    }
    return ownClasses == null ? new ObjectMarshaller() : new ObjectMarshaller(ownClasses);
  }

  private static @Nullable ClassLoader threadLoader() {
    return Thread.currentThread().getContextClassLoader();
  }

  /**
   * A configuration as it defines a cache: with what the grid and its marshallers add to it.
   *
   * @param isShared whether other nodes must understand it
   * @throws InvalidRequestException if a marshaller can't be named to them
   */
  CacheConfig defined(CacheConfig config, boolean isShared) {
    if (config.storage() == StorageType.HEAP_OBJECT) {
      return config.toBuilder().keyMarshaller(null).valueMarshaller(null).build();
    }
    Marshaller<?> keys = chosen(config.keyMarshaller());
    Marshaller<?> values = chosen(config.valueMarshaller());
    return config.toBuilder()
        .encoding(
            mediaType(config.keyMediaType(), keys), mediaType(config.valueMediaType(), values))
        .keyMarshaller(isShared ? named(keys) : keys)
        .valueMarshaller(isShared ? named(values) : values)
        .build();
  }

  /** The marshaller that a configuration asks for; null for the built-in one. */
  private @Nullable Marshaller<?> chosen(@Nullable Marshaller<?> configured) {
    Marshaller<?> wanted = configured == null ? grid.marshaller() : configured;
    boolean isGrids = wanted instanceof ObjectMarshaller && wanted.equals(grid.marshaller());
    return isGrids || wanted instanceof BuiltInMarshaller ? null : wanted;
  }

  private String mediaType(String configured, @Nullable Marshaller<?> marshaller) {
    return configured.equals(CacheConfig.UNKNOWN_MEDIA_TYPE)
        ? (marshaller == null ? builtIn : marshaller).mediaType()
        : configured;
  }

  private @Nullable Marshaller<?> named(@Nullable Marshaller<?> marshaller) {
    if (marshaller == null || marshaller instanceof NamedMarshaller) {
      return marshaller;
    }
    for (Map.Entry<String, Marshaller<?>> each : grid.namedMarshallers().entrySet()) {
      if (each.getValue().equals(marshaller)) {
        return new NamedMarshaller(each.getKey());
      }
    }
    String name = marshaller.getClass().getName();
    if (!marshaller.equals(grid.marshaller()) && constructor(marshaller.getClass()) == null) {
      throw new InvalidRequestException(
          ("other nodes can't make this marshaller: class=%s; make the class public with a public"
                  + " constructor without parameters, or name the instance on all nodes by"
                  + " GridConfig.builder().marshaller(\"name\", marshaller)")
              .formatted(name));
    }
    return new NamedMarshaller(name);
  }

  private static @Nullable Constructor<?> constructor(Class<?> type) {
    try {
      Constructor<?> found = type.getConstructor();
      boolean isUsable =
          Modifier.isPublic(type.getModifiers()) && !Modifier.isAbstract(type.getModifiers());
      return isUsable ? found : null;
    } catch (NoSuchMethodException _) {
      return null;
    }
  }

  /**
   * The conversion between objects and bytes of a cache.
   *
   * @param defined as {@link #defined} says
   * @throws InvalidRequestException if this node does not have a marshaller that it names
   */
  <K, V> BinaryEdge<K, V> edge(String cache, CacheConfig defined) {
    return BinaryEdge.of(
        usable(cache, defined.keyMarshaller()), usable(cache, defined.valueMarshaller()));
  }

  /** The same for work that may need no objects: it fails where it needs one. */
  <K, V> BinaryEdge<K, V> lenientEdge(String cache, CacheConfig defined) {
    return BinaryEdge.of(
        usableOrFailing(cache, defined.keyMarshaller()),
        usableOrFailing(cache, defined.valueMarshaller()));
  }

  private Marshaller<?> usableOrFailing(String cache, @Nullable Marshaller<?> defined) {
    try {
      return usable(cache, defined);
    } catch (InvalidRequestException refusal) {
      return new Missing(refusal);
    }
  }

  /** Takes the place of a marshaller that this node does not have. */
  private record Missing(InvalidRequestException refusal) implements Marshaller<Object> {
    @Override
    public byte[] toBytes(Object object) {
      throw failure();
    }

    @Override
    public Object fromBytes(byte[] bytes) {
      throw failure();
    }

    private InvalidRequestException failure() {
      return new InvalidRequestException(String.valueOf(refusal.getMessage()), refusal);
    }

    @Override
    public String mediaType() {
      return CacheConfig.UNKNOWN_MEDIA_TYPE;
    }
  }

  private Marshaller<?> usable(String cache, @Nullable Marshaller<?> defined) {
    return switch (defined) {
      case null -> builtIn;
      case NamedMarshaller named -> bound(found(cache, named.name()));
      default -> bound(defined);
    };
  }

  /** With the schemas of this grid. */
  private Marshaller<?> bound(Marshaller<?> marshaller) {
    return marshaller instanceof ObjectMarshaller objects
        ? new BuiltInMarshaller(() -> objects.withRegistry(schemas))
        : marshaller;
  }

  private Marshaller<?> found(String cache, String name) {
    Marshaller<?> known = grid.namedMarshallers().get(name);
    if (known != null) {
      return known;
    }
    Marshaller<Object> grids = grid.marshaller();
    return grids != null && grids.getClass().getName().equals(name) ? grids : made(cache, name);
  }

  private Marshaller<?> made(String cache, String name) {
    try {
      ClassLoader by = loader == null ? CacheMarshallers.class.getClassLoader() : loader;
      Class<?> type = Class.forName(name, false, by);
      Constructor<?> constructor = constructor(type);
      if (Marshaller.class.isAssignableFrom(type) && constructor != null) {
        return (Marshaller<?>) constructor.newInstance();
      }
    } catch (ReflectiveOperationException | LinkageError cause) {
      throw missing(cache, name, cause.toString(), cause);
    }
    throw missing(cache, name, "not a public Marshaller with a public constructor", null);
  }

  private InvalidRequestException missing(
      String cache, String name, String why, @Nullable Throwable cause) {
    return new InvalidRequestException(
        ("this node lacks the marshaller of a cache: cache=%s, node=%s, marshaller=%s, %s; put the"
                + " class on the class path, or start the node with"
                + " GridConfig.builder().marshaller(\"%s\", marshaller)")
            .formatted(cache, nodeName, name, why, name),
        cause);
  }
}
