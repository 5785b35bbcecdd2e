package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Java serialization, for caches whose users choose it: only classes on an allow list are read.
 * Equal objects need not have equal bytes, so it is for values. Other languages can't read them.
 * Thread-safe.
 */
public final class JavaSerializationMarshaller implements Marshaller<Object> {
  private static final String MEDIA_TYPE = "application/x-java-serialized-object";

  /** Bounds of what one object can make of memory and stack, far above those of usual objects. */
  private static final String LIMITS = "maxdepth=100;maxrefs=1000000;maxarray=100000000;";

  private static final String ALWAYS =
      "java.lang.Object;java.lang.String;java.lang.Number;java.lang.Integer;java.lang.Long;"
          + "java.lang.Short;java.lang.Byte;java.lang.Double;java.lang.Float;java.lang.Boolean;"
          + "java.lang.Character;java.lang.Enum;java.lang.Record;";

  private final ObjectInputFilter filter;
  private final @Nullable ClassLoader loader;

  /**
   * Creates one that finds classes by the context class loader of the calling thread.
   *
   * @param allowed names of classes, or packages as in {@code com.acme.*}, or with those below them
   *     as in {@code com.acme.**}; strings, boxed numbers and arrays of primitives need not be
   *     named
   * @throws IllegalArgumentException if a name is none
   */
  public JavaSerializationMarshaller(List<String> allowed) {
    this(allowed, null);
  }

  /**
   * Creates one that finds classes by a loader.
   *
   * @param allowed as for the other constructor
   * @param loader of the classes; null for the context class loader of the calling thread
   */
  public JavaSerializationMarshaller(List<String> allowed, @Nullable ClassLoader loader) {
    StringBuilder pattern = new StringBuilder(LIMITS).append(ALWAYS);
    for (String name : allowed) {
      if (name.isBlank() || name.matches(".*[;=!].*")) {
        throw new IllegalArgumentException(
            "not a name of a class: name=%s; give com.acme.Order, com.acme.* or com.acme.**"
                .formatted(name));
      }
      pattern.append(name.strip()).append(';');
    }
    this.filter = ObjectInputFilter.Config.createFilter(pattern.append("!*").toString());
    this.loader = loader;
  }

  @Override
  public String mediaType() {
    return MEDIA_TYPE;
  }

  @Override
  public byte[] toBytes(Object object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException | RuntimeException cause) {
      throw new InvalidRequestException(
          "not serializable: class=%s, reason=%s; let it and its fields implement Serializable"
              .formatted(object.getClass().getName(), cause),
          cause);
    }
    return bytes.toByteArray();
  }

  @Override
  public Object fromBytes(byte[] bytes) {
    return fromBytes(bytes, 0, bytes.length);
  }

  /**
   * The object that a part of an array stands for; nothing of the array is kept.
   *
   * @throws InvalidRequestException if it is none, or contains a class that is not allowed, which
   *     the error names
   */
  @SuppressWarnings("BanSerializableRead") // the filter lets in only what the user named
  public Object fromBytes(byte[] array, int offset, int length) {
    AtomicReference<@Nullable Class<?>> refused = new AtomicReference<>();
    ObjectInputFilter noting =
        input -> {
          ObjectInputFilter.Status status = filter.checkInput(input);
          if (status == ObjectInputFilter.Status.REJECTED) {
            refused.set(element(input.serialClass()));
          }
          return status;
        };
    try (ObjectInputStream in =
        new LoadingStream(new ByteArrayInputStream(array, offset, length), loader)) {
      in.setObjectInputFilter(noting);
      return in.readObject();
    } catch (IOException | ClassNotFoundException | LinkageError | RuntimeException cause) {
      Class<?> type = refused.get();
      throw new InvalidRequestException(
          type == null
              ? "not a serialized object: bytes=%d, reason=%s; check its writer"
                  .formatted(length, cause)
              : "class not allowed: class=%s; add it to the allow list: new"
                      .formatted(type.getName())
                  + " JavaSerializationMarshaller(List.of(\"%s\"))".formatted(type.getName()),
          cause);
    }
  }

  /** The class that an array is of, or the class itself. */
  private static @Nullable Class<?> element(@Nullable Class<?> type) {
    Class<?> element = type;
    while (element != null && element.isArray()) {
      element = element.getComponentType();
    }
    return element;
  }

  /** Finds classes by a loader first. */
  private static final class LoadingStream extends ObjectInputStream {
    private final @Nullable ClassLoader loader;

    LoadingStream(ByteArrayInputStream in, @Nullable ClassLoader loader) throws IOException {
      super(in);
      this.loader = loader == null ? Thread.currentThread().getContextClassLoader() : loader;
    }

    @Override
    protected Class<?> resolveClass(java.io.ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      if (loader != null) {
        try {
          return Class.forName(description.getName(), false, loader);
        } catch (ClassNotFoundException e) {
          return super.resolveClass(description); // primitives, and those of this library's loader
        }
      }
      return super.resolveClass(description);
    }
  }
}
