package dev.isogrid.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.infinispan.protostream.EnumMarshaller;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.GeneratedSchema;
import org.infinispan.protostream.ProtobufTagMarshaller;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Classes that are no records: ProtoStream's initializers, errors and Java serialization. */
@NullUnmarked // records with and without values
@SuppressWarnings("all") // what users may do is tested here
class OtherClassesTest {
  static final class Money implements Serializable {
    private static final long serialVersionUID = 1L;

    final long cents;

    Money(long cents) {
      this.cents = cents;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Money money && money.cents == cents;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(cents);
    }
  }

  enum Currency {
    EUR,
    USD
  }

  record Price(
      String name, Money money, List<Money> all, Currency currency, Map<String, Money> m) {}

  record Odd(Locale locale) {}

  record Nested(Odd odd) {}

  static final class MoneySchema implements GeneratedSchema {
    @Override
    public String getProtoFileName() {
      return "money.proto";
    }

    @Override
    public String getProtoFile() {
      return """
      package pay;
      /** @TypeId(100777) */
      message Money { optional int64 cents = 1; }
      enum Currency { DOLLAR = 1; EURO = 2; }
      """;
    }

    @Override
    public void registerSchema(SerializationContext context) {
      context.registerProtoFiles(
          FileDescriptorSource.fromString(getProtoFileName(), getProtoFile()));
    }

    @Override
    public void registerMarshallers(SerializationContext context) {
      context.registerMarshaller(new MoneyMarshaller());
      context.registerMarshaller(new CurrencyMarshaller());
    }
  }

  private static final class MoneyMarshaller implements ProtobufTagMarshaller<Money> {
    @Override
    public Class<Money> getJavaClass() {
      return Money.class;
    }

    @Override
    public String getTypeName() {
      return "pay.Money";
    }

    @Override
    public Money read(ReadContext context) throws IOException {
      long cents = 0;
      for (int tag = context.getReader().readTag(); tag != 0; tag = context.getReader().readTag()) {
        if (tag == 8) {
          cents = context.getReader().readInt64();
        } else {
          context.getReader().skipField(tag);
        }
      }
      return new Money(cents);
    }

    @Override
    public void write(WriteContext context, Money money) throws IOException {
      context.getWriter().writeInt64(1, money.cents);
    }
  }

  private static final class CurrencyMarshaller implements EnumMarshaller<Currency> {
    @Override
    public Class<Currency> getJavaClass() {
      return Currency.class;
    }

    @Override
    public String getTypeName() {
      return "pay.Currency";
    }

    @Override
    public Currency decode(int number) {
      return number == 1 ? Currency.USD : number == 2 ? Currency.EUR : null;
    }

    @Override
    public int encode(Currency currency) {
      return currency == Currency.USD ? 1 : 2;
    }
  }

  private final SchemasInMemory registry = new SchemasInMemory();
  private final ObjectMarshaller marshaller =
      new ObjectMarshaller(new MoneySchema()).withRegistry(registry);

  @Test
  void typesOfAnInitializer_haveProtoStreamsBytes() throws IOException {
    SerializationContext context = ProtobufUtil.newSerializationContext();
    new MoneySchema().registerSchema(context);
    new MoneySchema().registerMarshallers(context);
    for (Object value : List.of(new Money(5), Currency.EUR)) {
      byte[] theirs = ProtobufUtil.toWrappedByteArray(context, value);
      assertArrayEquals(theirs, marshaller.toBytes(value));
      assertEquals(value, marshaller.fromBytes(theirs));
    }
  }

  @Test
  void typesOfAnInitializer_inRecordsAndLists_comeBack() {
    Price price =
        new Price(
            "p",
            new Money(-1),
            List.of(new Money(2), new Money(3)),
            Currency.USD,
            Map.of("k", new Money(4)));
    assertEquals(price, marshaller.fromBytes(marshaller.toBytes(price)));
    List<Object> list = List.of(new Money(7), price, Currency.EUR);
    assertEquals(list, marshaller.fromBytes(marshaller.toBytes(list)));
    assertTrue(registry.schema("money.proto").contains("message Money"));
    assertTrue(
        registry
            .schema("dev.isogrid.types.OtherClassesTest.proto")
            .contains("optional pay.Money money = 2;"));
  }

  @Test
  void otherClasses_areRefusedWithThreeWays() {
    ObjectMarshaller plain = new ObjectMarshaller();
    for (Object object : List.of(new Money(1), List.of(new Money(1)), new ArrayDeque<>())) {
      var e = assertThrows(InvalidRequestException.class, () -> plain.toBytes(object));
      for (String part :
          List.of(
              "type=",
              "ObjectMarshaller(new ",
              "implements dev.isogrid.api.Marshaller",
              "JavaSerializationMarshaller(")) {
        assertTrue(e.getMessage().contains(part), e.getMessage());
      }
    }
    var e =
        assertThrows(
            InvalidRequestException.class, () -> plain.toBytes(new Nested(new Odd(Locale.ROOT))));
    assertTrue(e.getMessage().contains("OtherClassesTest$Odd, component=locale"), e.getMessage());
    assertTrue(e.getMessage().contains("type=java.util.Locale"), e.getMessage());
  }

  @Test
  void classesThatNobodyCanAnnotate_areRefusedWithWhatIsPossible() {
    ObjectMarshaller plain = new ObjectMarshaller();
    var e = assertThrows(InvalidRequestException.class, () -> plain.toBytes(Locale.ROOT));
    assertTrue(e.getMessage().contains("store a record of what it holds"), e.getMessage());
    assertTrue(e.getMessage().contains("with @ProtoAdapter(Locale.class)"), e.getMessage());
    Runnable lambda = () -> {};
    Object anonymous = new Object() {};
    for (Object nameless : List.of(lambda, anonymous)) {
      e = assertThrows(InvalidRequestException.class, () -> plain.toBytes(nameless));
      assertTrue(e.getMessage().startsWith("no marshaller for a lambda or an"), e.getMessage());
      assertFalse(e.getMessage().contains("SchemaImpl"), e.getMessage());
    }
  }

  @Test
  void localRecord_isRefusedWithWhatToDo() {
    record Local(int x) {}
    var e =
        assertThrows(
            InvalidRequestException.class, () -> new ObjectMarshaller().toBytes(new Local(1)));
    assertTrue(e.getMessage().contains("declare it as a member"), e.getMessage());
  }

  @Test
  void javaSerialization_readsAllowedClassesOnly() {
    String name = Money.class.getName();
    byte[] bytes = new JavaSerializationMarshaller(List.of(name)).toBytes(new Money(5));
    for (String allowed : List.of(name, "dev.isogrid.types.*", "dev.isogrid.**")) {
      assertEquals(
          new Money(5), new JavaSerializationMarshaller(List.of(allowed)).fromBytes(bytes));
    }
    var strict = new JavaSerializationMarshaller(List.of("com.acme.*"));
    var e = assertThrows(InvalidRequestException.class, () -> strict.fromBytes(bytes));
    assertTrue(e.getMessage().contains("class not allowed: class=" + name), e.getMessage());
    byte[] list =
        new JavaSerializationMarshaller(List.of()).toBytes(new ArrayList<>(List.of(new Money(1))));
    var inner = assertThrows(InvalidRequestException.class, () -> strict.fromBytes(list));
    assertTrue(inner.getMessage().contains("class=java.util.ArrayList"), inner.getMessage());
    var lists = new JavaSerializationMarshaller(List.of("java.util.*", name));
    assertEquals(List.of(new Money(1)), lists.fromBytes(list)); // whose array is no class to name
    byte[] array = lists.toBytes(new Money[] {new Money(1)});
    var inArray = assertThrows(InvalidRequestException.class, () -> strict.fromBytes(array));
    assertTrue(inArray.getMessage().contains("class=" + name), inArray.getMessage());
    assertEquals("x", strict.fromBytes(strict.toBytes("x")));
    assertThrows(InvalidRequestException.class, () -> strict.fromBytes(new byte[] {1, 2}));
    assertThrows(InvalidRequestException.class, () -> strict.toBytes(new Object()));
    assertThrows(
        IllegalArgumentException.class, () -> new JavaSerializationMarshaller(List.of("a;b")));
  }
}
