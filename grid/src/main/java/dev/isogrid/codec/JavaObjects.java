package dev.isogrid.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/**
 * Objects as Java serialises them: functions and exceptions of users, and what nodes tell each
 * other now and then. Nodes of a cluster trust each other's bytes as they trust their code.
 */
public final class JavaObjects {
  private JavaObjects() {}

  /**
   * The bytes of an object.
   *
   * @throws IOException if it, or what it refers to, can't be serialised
   */
  public static ByteString toBytes(@Nullable Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return ByteString.of(bytes.toByteArray());
  }

  /** The object of some bytes, of a class that this library or the thread's user can see. */
  public static @Nullable Object fromBytes(byte[] bytes, int offset, int length)
      throws IOException, ClassNotFoundException {
    return fromBytes(bytes, offset, length, Thread.currentThread().getContextClassLoader());
  }

  /**
   * The object of some bytes.
   *
   * @param loader finds classes that this library can't see; null if nothing does
   * @throws ClassNotFoundException if a class is not on this node
   */
  public static @Nullable Object fromBytes(
      byte[] bytes, int offset, int length, @Nullable ClassLoader loader)
      throws IOException, ClassNotFoundException {
    try (ObjectInputStream in =
        new WidelyLooking(new ByteArrayInputStream(bytes, offset, length), loader)) {
      return in.readObject();
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
