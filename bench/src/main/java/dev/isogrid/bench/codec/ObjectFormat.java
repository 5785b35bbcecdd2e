package dev.isogrid.bench.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.isogrid.types.JavaSerializationMarshaller;
import dev.isogrid.types.ObjectMarshaller;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.fory.Fory;
import org.apache.fory.config.Language;
import org.apache.fory.logging.LoggerFactory;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;

/**
 * A way from an object to bytes and back. For one thread: a few libraries need an instance per
 * thread.
 *
 * @param name for the tables
 */
record ObjectFormat(String name, Writer writer, Reader reader) {
  private static final int BUFFER_SIZE = 256;

  interface Writer {
    byte[] toBytes(Object object);
  }

  interface Reader {
    Object fromBytes(byte[] bytes);
  }

  /** All formats for a record that contains others. */
  static List<ObjectFormat> general() {
    ObjectMarshaller own = new ObjectMarshaller();
    JavaSerializationMarshaller java =
        new JavaSerializationMarshaller(List.of("dev.isogrid.bench.**", "java.util.**"));
    return List.of(
        new ObjectFormat("Isogrid, record", own::toBytes, own::fromBytes),
        kryo(true),
        kryo(false),
        fory(),
        new ObjectFormat("Java serialization", java::toBytes, java::fromBytes));
  }

  /** All formats for a {@link Person}. */
  static List<ObjectFormat> ofPerson() {
    List<ObjectFormat> formats = new ArrayList<>(general());
    formats.add(1, protoStream());
    return formats;
  }

  private static ObjectFormat protoStream() {
    SerializationContext context = PersonSchema.context();
    return new ObjectFormat(
        "ProtoStream, generated",
        object -> {
          try {
            return ProtobufUtil.toWrappedByteArray(context, object);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        bytes -> {
          try {
            return ProtobufUtil.fromWrappedByteArray(context, bytes);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static ObjectFormat kryo(boolean isRegistered) {
    Kryo kryo = new Kryo();
    kryo.setRegistrationRequired(isRegistered);
    if (isRegistered) {
      kryo.register(Person.class);
      kryo.register(Purchase.class);
      kryo.register(Purchase.Line.class);
      kryo.register(ArrayList.class);
    }
    Output output = new Output(BUFFER_SIZE, -1);
    Input input = new Input();
    return new ObjectFormat(
        isRegistered ? "Kryo, registered" : "Kryo, names of classes",
        object -> {
          output.reset();
          kryo.writeClassAndObject(output, object);
          return output.toBytes();
        },
        bytes -> {
          input.setBuffer(bytes);
          return kryo.readClassAndObject(input);
        });
  }

  private static ObjectFormat fory() {
    LoggerFactory.disableLogging();
    Fory fory = Fory.builder().withLanguage(Language.JAVA).requireClassRegistration(true).build();
    fory.register(Person.class);
    fory.register(Purchase.class);
    fory.register(Purchase.Line.class);
    return new ObjectFormat("Fory, registered", fory::serialize, fory::deserialize);
  }
}
