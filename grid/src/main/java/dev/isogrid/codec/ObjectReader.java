package dev.isogrid.codec;

import dev.isogrid.api.GridConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link JavaObjects} wrote on another node: objects of allowed classes, within limits.
 * Thread-safe.
 */
public final class ObjectReader {
  /*
   * Java's serialisation makes objects of any class that is on the class path, and runs code of
   * them while it does. So a class is refused before its first object is made, unless it is
   *
   *   - Isogrid's own, or one of Java's for plain values, functions, collections and exceptions;
   *   - of a package that the configuration allows, or of one below it;
   *   - of the loader whose classes this node has for others, which is that of a server's tasks;
   *   - if all packages are allowed: of the application, or of a package of Java that holds values.
   *
   * A lambda counts as the class that it is written in. Proxies are refused: their handlers run
   * code for whatever is called.
   */

  /**
   * How deep objects may be nested: far more than functions made of functions or causes of causes
   * are, and far less than what exhausts a thread's stack.
   */
  static final int DEPTH_MAX = 100;

  /**
   * How many objects there may be. The largest message between nodes has room for about so many
   * boxed numbers.
   */
  static final long REFERENCES_MAX = 8_000_000;

  /** The most bytes: beyond the largest message between nodes nothing is honest. */
  static final long BYTES_MAX = 64 << 20;

  /**
   * Elements of an array for each byte there is. An element takes a byte or more, but tables of
   * sparse hash maps are announced as arrays of up to eight places per entry, rounded up.
   */
  static final int ELEMENTS_PER_BYTE = 16;

  /** Elements that an array may have in any case: tables of empty collections. */
  static final int ELEMENTS_FREE = 1024;

  private static final String OWN_PACKAGES = "dev.isogrid.";

  /** Packages of Java with plain values, functions and collections, without those below them. */
  private static final Set<String> PLAIN_PACKAGES =
      Set.of(
          "java.lang",
          "java.math",
          "java.time",
          "java.time.chrono",
          "java.time.temporal",
          "java.time.zone",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "java.util.function");

  /** Packages whose objects run code, load it, or read other objects when they are made. */
  private static final List<String> RISKY_PACKAGES =
      List.of(
          "java.beans.",
          "java.lang.invoke.",
          "java.lang.reflect.",
          "java.rmi.",
          "java.security.",
          "java.util.jar.",
          "java.util.logging.");

  private static final String TIME_ZONES = "sun.util.calendar.ZoneInfo";

  private final List<String> packages;
  private final @Nullable ClassLoader own;
  private final long referencesMax;
  private final ClassValue<Boolean> allowed =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isAllowed(type);
        }
      };

  /**
   * One for a node.
   *
   * @param packages whose classes are allowed, with those below them; {@link
   *     GridConfig#ALL_PACKAGES} for all of the application
   * @param own the loader whose own classes are allowed, or null
   */
  public ObjectReader(List<String> packages, @Nullable ClassLoader own) {
    this(packages, own, REFERENCES_MAX);
  }

  /** With another limit. */
  ObjectReader(List<String> packages, @Nullable ClassLoader own, long referencesMax) {
    this.packages = List.copyOf(packages);
    this.own = own;
    this.referencesMax = referencesMax;
  }

  /** One that allows all packages of the application. */
  public static ObjectReader ofAllPackages() {
    return new ObjectReader(List.of(GridConfig.ALL_PACKAGES), null);
  }

  /** The object of some bytes, of a class that this library or the thread's user can see. */
  public @Nullable Object read(byte[] bytes, int offset, int length)
      throws IOException, ClassNotFoundException {
    return read(bytes, offset, length, Thread.currentThread().getContextClassLoader());
  }

  /**
   * The object of some bytes.
   *
   * @param loader finds classes that this library can't see; null if nothing does
   * @throws ClassNotFoundException if a class is not on this node
   * @throws InvalidClassException if a class is not allowed, or a limit exceeded; the message says
   *     which
   */
  public @Nullable Object read(byte[] bytes, int offset, int length, @Nullable ClassLoader loader)
      throws IOException, ClassNotFoundException {
    Filter filter = new Filter(length);
    try (WidelyLooking in =
        new WidelyLooking(new ByteArrayInputStream(bytes, offset, length), loader)) {
      in.setObjectInputFilter(filter);
      return in.readObject();
    } catch (InvalidClassException refused) {
      String reason = filter.refusal;
      if (reason == null) {
        throw refused;
      }
      InvalidClassException named = new InvalidClassException(reason);
      named.initCause(refused);
      throw named;
    }
  }

  @SuppressWarnings("ReferenceEquality") // a loader that says it equals another is not that one
  private boolean isAllowed(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.componentType();
    }
    if (element.isPrimitive()) {
      return true;
    }
    if (Proxy.isProxyClass(element)) {
      return false;
    }
    String name = element.getName();
    ClassLoader loader = element.getClassLoader();
    boolean isOfJava = loader == null || loader == ClassLoader.getPlatformClassLoader();
    return name.startsWith(OWN_PACKAGES)
        || (isOfJava && isPlain(element))
        || isOfAllowedPackage(element.getPackageName())
        || (own != null && loader == own)
        || (packages.contains(GridConfig.ALL_PACKAGES) && (!isOfJava || holdsValues(name)));
  }

  private static boolean isPlain(Class<?> type) {
    boolean isException =
        Throwable.class.isAssignableFrom(type) && type.getName().startsWith("java.");
    return PLAIN_PACKAGES.contains(type.getPackageName())
        || type == SerializedLambda.class
        || isException;
  }

  private static boolean holdsValues(String name) {
    return name.equals(TIME_ZONES)
        || (name.startsWith("java.") && RISKY_PACKAGES.stream().noneMatch(name::startsWith));
  }

  private boolean isOfAllowedPackage(String name) {
    return packages.stream().anyMatch(each -> name.equals(each) || name.startsWith(each + "."));
  }

  /** The limits of one reading. For one thread. */
  private final class Filter implements ObjectInputFilter {
    private final long elementsMax;
    private @Nullable String refusal;

    Filter(int length) {
      this.elementsMax = ELEMENTS_FREE + (long) length * ELEMENTS_PER_BYTE;
    }

    @Override
    public Status checkInput(FilterInfo found) {
      Class<?> type = found.serialClass();
      if (found.depth() > DEPTH_MAX) {
        return refuse("nested too deep: depth=" + found.depth() + ", max=" + DEPTH_MAX);
      }
      if (found.references() > referencesMax) {
        return refuse("too many objects: count=" + found.references() + ", max=" + referencesMax);
      }
      if (found.streamBytes() > BYTES_MAX) {
        return refuse("too long: bytes=" + found.streamBytes() + ", max=" + BYTES_MAX);
      }
      if (found.arrayLength() > elementsMax) {
        return refuse("array too long: elements=" + found.arrayLength() + ", max=" + elementsMax);
      }
      if (type != null && !allowed.get(type)) {
        return refuse(
            "class not allowed: class="
                + type.getName()
                + "; allow its package on this node, by --allow-packages of the server or"
                + " GridConfig.allowedPackages");
      }
      return type == null ? Status.UNDECIDED : Status.ALLOWED;
    }

    private Status refuse(String reason) {
      refusal = "what another node sent is refused: " + reason;
      return Status.REJECTED;
    }
  }

  private static final class WidelyLooking extends ObjectInputStream {
    private final @Nullable ClassLoader loader;

    WidelyLooking(InputStream in, @Nullable ClassLoader loader) throws IOException {
      super(in);
      this.loader = loader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass type)
        throws IOException, ClassNotFoundException {
      try {
        return super.resolveClass(type);
      } catch (ClassNotFoundException notHere) {
        if (loader == null) {
          throw notHere;
        }
        return Class.forName(type.getName(), false, loader);
      }
    }
  }
}
