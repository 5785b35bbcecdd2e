package dev.isogrid.codec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Objects as Java serialises them: functions and exceptions of users, and what nodes tell each
 * other now and then. Records need not be {@code Serializable}. An {@link ObjectReader} reads them.
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
    try (ObjectOutputStream out = new RecordOutput(bytes)) {
      out.writeObject(object);
    }
    return ByteString.of(bytes.toByteArray());
  }

  private static final class RecordOutput extends ObjectOutputStream {
    RecordOutput(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      return CarriedValue.inPlaceOf(object);
    }
  }
}
