package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.types.ObjectMarshaller;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SchemasTest {
  private static final String GOOD = "package p; message M { optional string f = 1; }";

  /** Files that a test changes. */
  private static final class Files implements Schemas.Source {
    private final Map<String, String> files = new HashMap<>();
    private final AtomicLong version = new AtomicLong();

    void put(String name, String content) {
      files.put(name, content);
      version.incrementAndGet();
    }

    void remove(String name) {
      files.remove(name);
      version.incrementAndGet();
    }

    @Override
    public long version() {
      return version.get();
    }

    @Override
    public Map<String, String> files() {
      return Map.copyOf(files);
    }
  }

  private final Files files = new Files();
  private final Schemas schemas = new Schemas(files);

  @Test
  void comments_ofAFileWithAnError_areNotTheNextFiles() {
    files.put("broken.proto", "import\n/** Text. @Field(number = 1) */\nmessage B {}");
    files.put("good.proto", GOOD);
    assertEquals(Set.of("broken.proto"), schemas.errors().keySet());
    assertEquals(Set.of("p.M"), schemas.types());
  }

  @Test
  void errors_tellOfEachFile_whatIsWrongWithIt() {
    files.put("good.proto", GOOD);
    files.put("broken.proto", "message {");
    files.put("dependent.proto", "import \"broken.proto\"; message D {}");
    files.put("lost.proto", "import \"nowhere.proto\"; message L {}");
    assertEquals(
        Set.of("broken.proto", "dependent.proto", "lost.proto"), schemas.errors().keySet());
    assertTrue(String.valueOf(schemas.errors().get("lost.proto")).contains("nowhere.proto"));
    assertEquals(Set.of("p.M"), schemas.types());
  }

  @Test
  void unknownType_inANestedMessage_isAnError() {
    for (String field :
        List.of("Gone g = 1;", "repeated x.Gone g = 1;", "map<string, Gone> g = 1;")) {
      for (String head : List.of("", "package p; import public \"good.proto\"; ")) {
        files.put("good.proto", GOOD.replace("package p", "package good"));
        files.put("bad.proto", head + "message A { message B { message C { " + field + " } } }");
        assertEquals(Set.of("bad.proto"), schemas.errors().keySet());
        String error = String.valueOf(schemas.errors().get("bad.proto"));
        assertTrue(error.contains("A.B.C.g\"") && error.contains("Gone"), error);
      }
    }
  }

  /** The file has the name of one that ProtoStream itself has. */
  @Test
  void unknownType_inAFileWithABuiltInName_isAnError() {
    String name = "org/infinispan/protostream/message-wrapping.proto";
    String text = "message A { message B { optional Nowhere c = 1; } }";
    String error = Schemas.of(Map.of(name, text)).errors().get(name);
    assertTrue(String.valueOf(error).contains("Nowhere"), error);
  }

  @Test
  void types_ofNestedMessages_areFoundInAllScopes() {
    files.put("far.proto", "package f; message Far { message In {} } enum FarKind { K = 0; }");
    files.put("near.proto", "import public \"far.proto\"; package n; message Near {}");
    files.put(
        "user.proto",
        """
        import "near.proto";
        package u.v;
        enum Top { T = 0; }
        message A {
          enum Kind { KIND = 0; }
          message B {
            message C {
              Top top = 1; Kind kind = 2; B b = 3; A.B.C again = 4; u.v.A whole = 5; C self = 6;
              n.Near near = 7; f.Far far = 8; f.Far.In in = 9; map<string, f.FarKind> kinds = 10;
              oneof either { Kind left = 11; D right = 12; }
              message D {}
            }
          }
        }
        """);
    assertEquals(Map.of(), schemas.errors());
  }

  @Test
  void definitionTwice_isAnErrorOfTheLaterFile() {
    files.put("a.proto", GOOD);
    files.put("b.proto", GOOD);
    assertEquals(Set.of("b.proto"), schemas.errors().keySet());
    files.remove("a.proto");
    assertEquals(Set.of(), schemas.errors().keySet());
  }

  @Test
  void conversions_followTheFiles() {
    String json = "{\"_type\":\"p.M\",\"f\":\"a\"}";
    assertThrows(InvalidRequestException.class, () -> schemas.fromJson(json));
    files.put("good.proto", GOOD);
    byte[] wrapped = schemas.fromJson(json);
    assertEquals("820103702e4d8a01030a0161", HexFormat.of().formatHex(wrapped));
    assertEquals(json, schemas.toJson(wrapped));
    files.put("good.proto", "package p; message M { optional string g = 1; }");
    assertEquals(json.replace("\"f\"", "\"g\""), schemas.toJson(wrapped));
    files.remove("good.proto");
    assertThrows(InvalidRequestException.class, () -> schemas.toJson(wrapped));
  }

  @Test
  void imports_ofCommonTypes_areFound() {
    files.put(
        "u.proto",
        "import \"common-java-types.proto\"; package p;"
            + " message U { optional org.infinispan.protostream.commons.UUID id = 1; }");
    assertEquals(Map.of(), schemas.errors());
  }

  @Test
  void json_ofEmptyCollectionsAndCharacters_isValid() {
    ObjectMarshaller objects = new ObjectMarshaller();
    for (Object empty : List.of(List.of(), Set.of(), new int[0])) {
      String json = schemas.toJson(objects.toBytes(empty));
      assertTrue(json.endsWith(",\"_value\":[]}"), json);
    }
    String nested = schemas.toJson(objects.toBytes(List.of(List.of(), List.of(1))));
    assertTrue(nested.contains(",\"_value\":[]}"), nested);
    assertEquals("{\"_type\":\"string\",\"_value\":\"c\"}", schemas.toJson(objects.toBytes('c')));
    assertEquals(
        "{\"_type\":\"string\",\"_value\":\"\\u0022\"}", schemas.toJson(objects.toBytes('"')));
  }
}
