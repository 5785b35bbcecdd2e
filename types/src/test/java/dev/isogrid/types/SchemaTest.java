package dev.isogrid.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.types.java.CommonContainerTypesSchema;
import org.infinispan.protostream.types.java.CommonTypesSchema;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Schemas of classes: what others make of them, and what is kept of files that others wrote. */
@NullUnmarked // records with and without values
@SuppressWarnings("all") // what users may do is tested here
class SchemaTest {
  enum State {
    NEW,
    DONE
  }

  enum Other {
    NEW
  }

  record Line(String product, int count) {}

  sealed interface Payment permits Card, Cash {}

  record Card(String number) implements Payment {}

  record Cash(BigDecimal amount) implements Payment {}

  record Order(
      UUID id,
      State state,
      Other other,
      List<Line> lines,
      int[] numbers,
      List<State> states,
      Map<String, Integer> counts,
      Map<String, Line> named,
      Map<Integer, State> byNumber,
      Payment payment,
      Instant at,
      Date date,
      LocalDate day,
      Duration took,
      Optional<String> gift,
      Object anything,
      Order parent) {}

  record Words(int message, String option, boolean reserved, long map, double oneof) {}

  private final SchemasInMemory registry = new SchemasInMemory();
  private final ObjectMarshaller marshaller = new ObjectMarshaller().withRegistry(registry);

  private static SerializationContext context(Map<String, String> files) {
    SerializationContext context = ProtobufUtil.newSerializationContext();
    new CommonTypesSchema().registerSchema(context);
    new CommonContainerTypesSchema().registerSchema(context);
    files.forEach((file, text) ->
        context.registerProtoFiles(FileDescriptorSource.fromString(file, text))); // in order
    return context;
  }

  private static Order order() {
    return new Order(
        new UUID(1, 2),
        State.DONE,
        Other.NEW,
        List.of(new Line("a", 1), new Line("b", 0)),
        new int[] {1, -2, 3},
        List.of(State.NEW, State.DONE),
        Map.of("x", 1),
        Map.of("n", new Line("c", 2)),
        Map.of(7, State.DONE),
        new Card("4711"),
        Instant.parse("2026-01-02T03:04:05.6Z"),
        new Date(5),
        LocalDate.of(2026, 1, 2),
        Duration.ofSeconds(5, 6),
        Optional.of("g"),
        "any",
        null);
  }

  @Test
  void messages_areJsonForProtoStream_andBack() throws IOException {
    SerializationContext context = context(marshaller.schemas(Order.class));
    byte[] bytes = marshaller.toBytes(order());
    String json = ProtobufUtil.toCanonicalJSON(context, bytes, false);
    for (String part :
        List.of(
            "\"_type\":\"dev.isogrid.types.SchemaTest.Order\"",
            "\"state\":\"STATE_DONE\"",
            "\"numbers\":[1,-2,3]",
            "\"counts\":{\"x\":1}",
            "\"number\":\"4711\"",
            "\"gift\":\"g\"")) {
      assertTrue(json.contains(part), json);
    }
    byte[] back = ProtobufUtil.fromCanonicalJSON(context, new StringReader(json));
    assertArrayEquals(bytes, back, json);
    assertEquals(
        marshaller.fromBytes(bytes).toString().replaceAll("\\[I@\\w+", ""),
        order().toString().replaceAll("\\[I@\\w+", ""));
  }

  @Test
  void schemas_writeNothing() {
    Map<String, String> files = marshaller.schemas(Order.class);
    assertEquals(
        List.of("dev.isogrid.types.SchemaTest.proto"), List.copyOf(files.keySet()).subList(1, 2));
    assertNull(registry.schema("dev.isogrid.types.SchemaTest.proto"));
    assertTrue(marshaller.schemaOf(Order.class).contains("message Order {"));
    assertThrows(InvalidRequestException.class, () -> marshaller.schemas(String.class));
  }

  @Test
  void wordsOfSchemas_asNamesOfComponents_work() {
    Words words = new Words(1, "2", true, 4, 5);
    assertEquals(words, marshaller.fromBytes(marshaller.toBytes(words)));
    context(marshaller.schemas(Words.class));
    marshaller.withRegistry(registry).toBytes(words); // parses its own text
  }

  @Test
  void handMadeFile_keepsItsTextAndItsNumbers() {
    String file = "dev.isogrid.types.SchemaTest.proto";
    String text =
        """
        // Made by hand.
        syntax = 'proto3'; package dev.isogrid.types;
        option java_package = "x.y"; /* { */
        message SchemaTest {
          message Line { string product = 7 [deprecated = true]; reserved 9 to 12, 20; }
          enum Other { option allow_alias = true; NEW = 0; ALSO = 0; }
          message Unused { oneof choice { int32 a = 1; string b = 2; } map<string, Line> m = 3; }
        }
        service S { rpc Get (SchemaTest) returns (SchemaTest) {} }
        """;
    assertTrue(registry.replace(file, null, text));
    Line line = new Line("p", 3);
    byte[] bytes = marshaller.toBytes(line);
    assertEquals(line, marshaller.fromBytes(bytes));
    String merged = registry.schema(file);
    assertTrue(
        merged.contains(
            "message Line { string product = 7 [deprecated = true]; reserved 9 to 12, 20; \n"
                + "    optional int32 count = 21;\n  }"),
        merged);
    assertTrue(merged.startsWith("// Made by hand."), merged);
    assertEquals(Other.NEW, marshaller.fromBytes(marshaller.toBytes(Other.NEW)));
    assertEquals(merged, registry.schema(file)); // NEW is there already, without a prefix
  }

  @Test
  void reservedName_isRefused() {
    registry.replace(
        "dev.isogrid.types.SchemaTest.proto",
        null,
        "syntax = \"proto3\"; package dev.isogrid.types; message SchemaTest { message Line {"
            + " reserved \"count\"; } }");
    var e = assertThrows(InvalidRequestException.class, () -> marshaller.toBytes(new Line("p", 3)));
    assertTrue(e.getMessage().contains("component=count"), e.getMessage());
  }

  @Test
  void brokenFile_isNamed() {
    for (String broken :
        List.of("message {", "message A {\n int32 x = y; }", "\"", "message A { } }", "import")) {
      SchemasInMemory other = new SchemasInMemory();
      other.replace("dev.isogrid.types.SchemaTest.proto", null, broken);
      var e =
          assertThrows(
              InvalidRequestException.class,
              () -> new ObjectMarshaller().withRegistry(other).toBytes(new Line("p", 3)),
              broken);
      assertTrue(e.getMessage().contains("dev.isogrid.types.SchemaTest.proto"), e.getMessage());
    }
  }
}
