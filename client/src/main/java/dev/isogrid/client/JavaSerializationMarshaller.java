package dev.isogrid.client;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;

/** Java serialisation; only classes on an allow list are read. */
public final class JavaSerializationMarshaller implements Marshaller {
  private static final String LIMITS = "maxdepth=100;maxrefs=1000000;maxarray=100000000;";

  private final ObjectInputFilter filter;

  /**
   * Creates one.
   *
   * @param allowed names of classes, or packages as in {@code com.acme.*} and {@code com.acme.**};
   *     strings, boxed numbers and arrays of primitives need not be named
   */
  public JavaSerializationMarshaller(List<String> allowed) {
    StringBuilder pattern = new StringBuilder(LIMITS);
    pattern.append("java.lang.String;java.lang.Number;java.lang.Integer;java.lang.Long;");
    pattern.append("java.lang.Short;java.lang.Byte;java.lang.Double;java.lang.Float;");
    pattern.append("java.lang.Boolean;java.lang.Character;java.lang.Enum;");
    for (String name : allowed) {
      if (name.isBlank() || name.indexOf(';') >= 0 || name.indexOf('=') >= 0) {
        throw new IllegalArgumentException("not a name of a class: name=" + name);
      }
      pattern.append(name.strip()).append(';');
    }
    filter = ObjectInputFilter.Config.createFilter(pattern.append("!*").toString());
  }

  @Override
  public String mediaType() {
    return "application/x-java-serialized-object";
  }

  @Override
  public byte[] toBytes(Object object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException cause) {
      throw new MarshallingException(
          "not serialisable: class=" + object.getClass().getName(), cause);
    }
    return bytes.toByteArray();
  }

  @Override
  @SuppressWarnings("BanSerializableRead") // the filter lets in only what the user named
  public Object fromBytes(byte[] bytes) {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      in.setObjectInputFilter(filter);
      return in.readObject();
    } catch (IOException | ClassNotFoundException | RuntimeException cause) {
      throw new MarshallingException(
          "not a serialised object of an allowed class: size=%d; see the allow list"
              .formatted(bytes.length),
          cause);
    }
  }
}
