package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.CompiledClasses;
import dev.isogrid.types.JavaSerializationMarshaller;
import dev.isogrid.types.ObjectMarshaller;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The error for classes that need a marshaller shows code; a program with it compiles. */
class RefusedTypesTest {
  private static final String CODE = "     ";

  /** A class that no marshaller knows. */
  public static final class Coupon {}

  private static String refusal() {
    ProtoStreamMarshaller marshaller = new ProtoStreamMarshaller();
    MarshallingException refused =
        assertThrows(MarshallingException.class, () -> marshaller.toBytes(new Coupon()));
    return String.valueOf(refused.getMessage());
  }

  /** The lines that are code, those of one statement together. */
  private static String[] statements(String message) {
    String code =
        message
            .lines()
            .filter(line -> line.startsWith(CODE))
            .map(line -> line.substring(CODE.length()))
            .collect(Collectors.joining("\n"));
    return Pattern.compile("\n(?! )").split(code);
  }

  @Test
  void code_ofTheMessage_compiles() {
    String[] code = statements(refusal());
    assertEquals(7, code.length, refusal());
    String program =
        """
        package dev.isogrid.client;
        import dev.isogrid.client.RefusedTypesTest.Coupon;
        class Program {
          abstract static class CouponSchemaImpl
              implements org.infinispan.protostream.GeneratedSchema {}
          %s
          Object first() {
            %s
            %s.build();
            return %s.build();
          }
          Object third(RemoteCache<String, Coupon> cache) {
            %s
            %s.build();
            %s.build();
            %s.build();
            RemoteCache<String, Coupon> other = %s;
            return other;
          }
        }
        """
            .formatted(
                code[1].replace(
                    "{ ... }",
                    """
                    {
                        public byte[] toBytes(Coupon coupon) { return new byte[0]; }
                        public Coupon fromBytes(byte[] bytes) { return new Coupon(); }
                        public String mediaType() { return "application/octet-stream"; }
                      }
                    """),
                code[0].replace("Impl()", "Impl() { %s }".formatted(SCHEMA)),
                code[3],
                code[4],
                code[2],
                code[3],
                code[4],
                code[5],
                code[6]);
    assertTrue(new CompiledClasses(Map.of("dev.isogrid.client.Program", program)) != null);
  }

  private static final String SCHEMA =
      """
      public String getProtoFileName() { return ""; }
      public String getProtoFile() { return ""; }
      public void registerSchema(org.infinispan.protostream.SerializationContext c) {}
      public void registerMarshallers(org.infinispan.protostream.SerializationContext c) {}
      """;

  @Test
  void marshallersOfTheGrid_areTaken() {
    try (TestServer server = new TestServer();
        RemoteCacheManager records =
            new RemoteCacheManager(server.client().marshaller(new ObjectMarshaller()).build());
        RemoteCacheManager plain = new RemoteCacheManager(server.client().build())) {
      RemoteCache<String, Ticket> cache = Objects.requireNonNull(records.getCache("default"));
      cache.put("k", new Ticket(1));
      assertEquals(new Ticket(1), cache.get("k"));
      RemoteCache<String, String> schemas =
          Objects.requireNonNull(plain.getCache("___protobuf_metadata"));
      String schema = schemas.get("dev.isogrid.client.RefusedTypesTest.proto");
      assertTrue(String.valueOf(schema).contains("message Ticket"), schema);

      RemoteCache<String, Object> serialized =
          cache.withDataFormat(
              new DataFormat(new StringMarshaller(), new JavaSerializationMarshaller(List.of())));
      serialized.put("s", 5);
      assertEquals(5, serialized.get("s"));
      assertThrows(MarshallingException.class, () -> serialized.put("s", new Coupon()));
    }
  }

  /** A value. */
  record Ticket(int number) {}
}
