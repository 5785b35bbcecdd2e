package dev.isogrid.types;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds the classes of names that come with bytes. Thread-safe. Keeps no class from unloading. */
final class ClassNames {
  /*
   * A name from the network must not load any class that happens to be there. So a class is loaded
   * without being initialized, and only taken if it is a record, an enum or a sealed interface
   * under just that name. One that was written here before is found without a loader.
   *
   * Class loaders remember each name that they are asked for, for ever. So after many names of no
   * class, which only damaged or hostile bytes have, a loader is only asked for classes that have a
   * file.
   */

  /** Names of no class that loaders are asked for: they take some megabytes then. */
  static final int MISSES_MAX = 10_000;

  /** The classes that one loader has found. */
  private record Known(
      WeakReference<ClassLoader> loader, Map<String, WeakReference<Class<?>>> classes) {}

  private final @Nullable ClassLoader fixed;
  private final Predicate<Class<?>> isMessage;
  private final Map<String, WeakReference<Class<?>>> written = new ConcurrentHashMap<>();

  /** Guarded by itself. */
  private final Map<ClassLoader, Known> byLoader = new WeakHashMap<>();

  /** Names that loaders were asked for in vain. */
  private final AtomicInteger misses = new AtomicInteger();

  /** The one that was used last. Written by any thread. */
  private volatile @Nullable Known last;

  /**
   * Creates one.
   *
   * @param loader of the classes; null for the context loader of the calling thread
   * @param isMessage whether a class can be taken
   */
  ClassNames(@Nullable ClassLoader loader, Predicate<Class<?>> isMessage) {
    this.fixed = loader;
    this.isMessage = isMessage;
  }

  /** Remembers a class of which a value was written. */
  void add(Class<?> type) {
    written.put(TypeNames.of(type), new WeakReference<>(type));
  }

  /** The class of a name; null if there is none that can be taken. */
  @Nullable Class<?> find(String name) {
    Known known = known();
    Class<?> type = get(known.classes(), name);
    if (type == null) {
      type = load(name, known.loader().get());
      if (type == null) {
        return get(written, name);
      }
      known.classes().put(name, new WeakReference<>(type));
    }
    return type;
  }

  private static @Nullable Class<?> get(Map<String, WeakReference<Class<?>>> classes, String name) {
    WeakReference<Class<?>> reference = classes.get(name);
    return reference == null ? null : reference.get();
  }

  private Known known() {
    ClassLoader loader = fixed;
    if (loader == null) {
      loader = Thread.currentThread().getContextClassLoader();
    }
    if (loader == null) {
      loader = ClassLoader.getSystemClassLoader();
    }
    Known recent = last;
    if (recent == null || !loader.equals(recent.loader().get())) {
      synchronized (byLoader) {
        recent =
            byLoader.computeIfAbsent(
                loader, l -> new Known(new WeakReference<>(l), new ConcurrentHashMap<>()));
      }
      last = recent;
    }
    return recent;
  }

  private @Nullable Class<?> load(String name, @Nullable ClassLoader loader) {
    for (String candidate : TypeNames.candidates(name)) {
      if (misses.get() >= MISSES_MAX && !hasFile(candidate, loader)) {
        continue;
      }
      try {
        Class<?> type = Class.forName(candidate, false, loader);
        if (name.equals(type.getCanonicalName()) && isMessage.test(type)) {
          return type;
        }
      } catch (ClassNotFoundException | LinkageError e) {
        misses.incrementAndGet(); // not this one: the next candidate
      }
    }
    return null;
  }

  private static boolean hasFile(String name, @Nullable ClassLoader loader) {
    return loader != null && loader.getResource(name.replace('.', '/') + ".class") != null;
  }
}
