package dev.isogrid.bench.codec;

import java.io.IOException;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.ProtobufTagMarshaller;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.TagReader;
import org.infinispan.protostream.TagWriter;
import org.jspecify.annotations.Nullable;

/**
 * The marshaller of {@link Person} as ProtoStream's annotation processor generates it for a record
 * with five {@code @ProtoField}s: the same calls in the same order.
 */
final class PersonSchema implements ProtobufTagMarshaller<Person> {
  private static final int NAME_TAG = 1 << 3 | 2;
  private static final int EMAIL_TAG = 2 << 3 | 2;
  private static final int AGE_TAG = 3 << 3;
  private static final int ID_TAG = 4 << 3;
  private static final int ACTIVE_TAG = 5 << 3;

  private static final String SCHEMA =
      """
      package dev.isogrid.bench.codec;
      message Person {
        optional string name = 1;
        optional string email = 2;
        optional int32 age = 3 [default = 0];
        optional int64 id = 4 [default = 0];
        optional bool active = 5 [default = false];
      }
      """;

  static SerializationContext context() {
    SerializationContext context = ProtobufUtil.newSerializationContext();
    context.registerProtoFiles(FileDescriptorSource.fromString("person.proto", SCHEMA));
    context.registerMarshaller(new PersonSchema());
    return context;
  }

  @Override
  public Class<Person> getJavaClass() {
    return Person.class;
  }

  @Override
  public String getTypeName() {
    return "dev.isogrid.bench.codec.Person";
  }

  @Override
  @SuppressWarnings("NullAway") // as generated
  public Person read(ReadContext context) throws IOException {
    TagReader in = context.getReader();
    @Nullable String name = null;
    @Nullable String email = null;
    int age = 0;
    long id = 0;
    boolean active = false;
    boolean done = false;
    while (!done) {
      int tag = in.readTag();
      switch (tag) {
        case 0 -> done = true;
        case NAME_TAG -> name = in.readString();
        case EMAIL_TAG -> email = in.readString();
        case AGE_TAG -> age = in.readInt32();
        case ID_TAG -> id = in.readInt64();
        case ACTIVE_TAG -> active = in.readBool();
        default -> done = !in.skipField(tag);
      }
    }
    return new Person(name, email, age, id, active);
  }

  @Override
  @SuppressWarnings("ConstantValue") // as generated
  public void write(WriteContext context, Person person) throws IOException {
    TagWriter out = context.getWriter();
    if (person.name() != null) {
      out.writeString(1, person.name());
    }
    if (person.email() != null) {
      out.writeString(2, person.email());
    }
    out.writeInt32(3, person.age());
    out.writeInt64(4, person.id());
    out.writeBool(5, person.active());
  }
}
