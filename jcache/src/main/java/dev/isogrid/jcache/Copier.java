package dev.isogrid.jcache;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.temporal.Temporal;
import java.util.Set;
import java.util.UUID;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * Copies keys and values, so that a cache that keeps references stores by value all the same.
 * Immutable objects are not copied; others go through Java serialization.
 */
final class Copier {
  /** For a store that keeps bytes, or by reference. */
  static final Copier NONE = new Copier(null);

  private static final Set<Class<?>> IMMUTABLE =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Character.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          java.time.Duration.class,
          java.time.Period.class);

  private static final ClassValue<Boolean> IS_IMMUTABLE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isImmutable(type);
        }
      };

  private final @Nullable ClassLoader loader;

  /**
   * Finds classes by a loader.
   *
   * @param loader null to copy nothing
   */
  Copier(@Nullable ClassLoader loader) {
    this.loader = loader;
  }

  /** A copy, or the object itself if it is immutable. */
  @SuppressWarnings("unchecked") // the copy has the class of the object
  <T> T copy(T object) {
    if (loader == null || IS_IMMUTABLE.get(object.getClass())) {
      return object;
    }
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(object);
      }
      try (ObjectInputStream in =
          new ClassesOf(loader, new ByteArrayInputStream(bytes.toByteArray()))) {
        return (T) in.readObject();
      }
    } catch (IOException | ClassNotFoundException e) {
      throw new CacheException(
          "cannot copy an object to store it by value: class="
              + object.getClass().getName()
              + "; make it Serializable or an immutable record,"
              + " or configure the cache with setStoreByValue(false)",
          e);
    }
  }

  private static boolean isImmutable(Class<?> type) {
    if (type.isPrimitive() || type.isEnum() || IMMUTABLE.contains(type)) {
      return true;
    }
    if (Temporal.class.isAssignableFrom(type)) {
      return type.getName().startsWith("java.time.");
    }
    if (!type.isRecord()) {
      return false;
    }
    for (RecordComponent component : type.getRecordComponents()) {
      // A record within itself is not looked into, so that this ends.
      if (component.getType().isRecord() || !isImmutable(component.getType())) {
        return false;
      }
    }
    return true;
  }

  /** Resolves classes by a loader. */
  private static final class ClassesOf extends ObjectInputStream {
    private final ClassLoader loader;

    ClassesOf(ClassLoader loader, InputStream in) throws IOException {
      super(in);
      this.loader = loader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(description.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }
  }
}
