package dev.isogrid.mapreduce;

import dev.isogrid.codec.ByteString;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/** Objects as Java serialises them: functions, and what nodes tell each other now and then. */
final class JavaObjects {
  private JavaObjects() {}

  /**
   * The bytes of an object.
   *
   * @throws IOException if it, or what it refers to, can't be serialised
   */
  static ByteString toBytes(@Nullable Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return ByteString.of(bytes.toByteArray());
  }

  /** The object of some bytes. */
  static Object fromBytes(byte[] bytes, int offset, int length)
      throws IOException, ClassNotFoundException {
    try (ObjectInputStream in =
        new WidelyLooking(new ByteArrayInputStream(bytes, offset, length))) {
      return in.readObject();
    }
  }

  /** Looks for classes where the thread's user does as well. */
  private static final class WidelyLooking extends ObjectInputStream {
    WidelyLooking(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass type)
        throws IOException, ClassNotFoundException {
      try {
        return super.resolveClass(type);
      } catch (ClassNotFoundException notHere) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        if (loader == null) {
          throw notHere;
        }
        return Class.forName(type.getName(), false, loader);
      }
    }
  }
}
