package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schema files that the parser can't take, or takes too long for. */
class SchemaLimitsTest {
  private static final String GOOD = "package p; message M { optional string f = 1; }";

  private static String repeat(int count, IntFunction<String> part) {
    return IntStream.range(0, count).mapToObj(part).collect(Collectors.joining());
  }

  /** The error of a file, beside which another one must be known. */
  private static String error(String text) {
    Schemas schemas = Schemas.of(Map.of("bad.proto", text, "good.proto", GOOD));
    Map<String, String> errors = schemas.errors();
    assertEquals(Set.of("bad.proto"), errors.keySet());
    assertEquals(Set.of("p.M"), schemas.types());
    return String.valueOf(errors.get("bad.proto"));
  }

  private static void accept(String text) {
    assertEquals(Map.of(), Schemas.of(Map.of("a.proto", text)).errors());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "message M {",
        "option x = {a:",
        "option (",
        "message A { map<string,",
        "option x = ["
      })
  void nesting_beyondTheLimit_isAnError(String level) {
    String error = error(level.repeat(20_000));
    assertTrue(error.contains("nested too deeply: line=1, limit=64"), error);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/** @A(", "/** @A(x={", "// @A("})
  void nestedAnnotations_inComments_areAnError(String level) {
    String one = level.substring(level.indexOf('@'));
    String start = level.substring(0, level.indexOf('@'));
    String text = start + one.repeat(30_000) + (start.startsWith("/*") ? "*/" : "\n");
    String error = error(text + " message A {}");
    assertTrue(error.contains("nested too deeply"), error);
  }

  @Test
  void annotations_inCommentsInARow_countTogether() {
    assertTrue(error("/** @A( */ ".repeat(20_000) + "message A {}").contains("nested too deeply"));
    accept("/** a list: 1) b, c :-( */ message A {}");
    accept(repeat(500, i -> "// see (a\nmessage A%d {}\n".formatted(i)));
  }

  @Test
  void braces_inStringsAndComments_areNoNesting() {
    accept("option x = \"" + "{".repeat(1000) + "\"; message A {}");
    accept("message A { /* {}{} */ } // }\n");
    accept("message M {".repeat(64) + "}".repeat(64));
    assertTrue(error("message M {".repeat(65) + "}".repeat(65)).contains("nested too deeply"));
  }

  @Test
  void length_beyondTheLimit_isAnError() {
    String text = "message A {}" + " ".repeat(SchemaOutline.LENGTH_MAX - 12);
    accept(text);
    assertEquals("schema too long: length=524289, limit=524288; split it", error(text + " "));
  }

  @Test
  void reservedNumbers_thatTakeLong_areAnError() {
    assertTrue(error("message A { reserved 1 to 536870911; }").contains("expands to too much"));
    assertTrue(
        error("message A { reserved /* */ 1/**/to// \n 99999999999999999999; }")
            .contains("expands to too much"));
    assertTrue(
        error(
                "message A { reserved "
                    + repeat(9, i -> i + "00000000 to " + i + "00900000, ")
                    + "1;}")
            .contains("expands to too much"));
    accept("message A { reserved 1 to max; }");
    accept("message A { reserved 1000 to 19999, 30; optional string to = 1; }");
    accept("enum A { V = 0; W = 2147483647; }");
  }

  @Test
  void fullNames_thatMultiply_areAnError() {
    String name = "n".repeat(1000);
    String text = "message " + name + " {" + repeat(20_000, i -> "message A" + i + "{}") + "}";
    assertTrue(error(text).contains("expands to too much"));
    assertTrue(
        error("package " + name + ";" + repeat(5000, i -> "enum E" + i + "{V" + i + "=1;}"))
            .contains("expands to too much"));
    assertTrue(error("message " + "n".repeat(1025) + " {}").contains("name too long"));
    accept("package p; " + repeat(2000, i -> "message A" + i + "{optional string f=1;}"));
  }

  @Test
  void filesTogether_areLimited_inOrderOfTheirNames() {
    Map<String, String> files = new TreeMap<>();
    String filler = " ".repeat(SchemaOutline.LENGTH_MAX - 20);
    for (int i = 0; i < 10; i++) {
      files.put("f" + i + ".proto", "message A" + i + " {}" + filler);
    }
    Schemas schemas = Schemas.of(files);
    assertEquals(Set.of("f8.proto", "f9.proto"), schemas.errors().keySet());
    assertTrue(
        String.valueOf(schemas.errors().get("f9.proto")).contains("schemas together too large"));
  }

  @Test
  void numberOfFiles_isLimited() {
    Map<String, String> files = new TreeMap<>();
    for (int i = 0; i <= SchemaParser.FILES_MAX; i++) {
      files.put("f%05d.proto".formatted(i), "message A" + i + " {}");
    }
    assertEquals(Set.of("f02000.proto"), Schemas.of(files).errors().keySet());
  }

  @Test
  void imports_inALongChain_areFollowed() {
    Map<String, String> files = new TreeMap<>();
    for (int i = 0; i < 1500; i++) {
      files.put("f" + i + ".proto", "import \"f%d.proto\"; message M%d {}".formatted(i + 1, i));
    }
    files.put("f1500.proto", "message Last {}");
    assertEquals(Map.of(), Schemas.of(files).errors());
    files.put("f1500.proto", "import \"gone.proto\";");
    assertEquals(1501, Schemas.of(files).errors().size());
  }

  @Test
  void imports_thatMultiply_areErrors() {
    Map<String, String> files = new TreeMap<>();
    files.put("f00.proto", GOOD);
    for (int i = 1; i < 40; i++) {
      String imports =
          i == 1
              ? ""
              : "import public \"f%02d.proto\"; import public \"g%02d.proto\";"
                  .formatted(i - 1, i - 1);
      files.put("f%02d.proto".formatted(i), imports + "message F" + i + " {}");
      files.put("g%02d.proto".formatted(i), imports + "message G" + i + " {}");
    }
    Schemas schemas = Schemas.of(files);
    String error = String.valueOf(schemas.errors().get("f39.proto"));
    assertTrue(error.contains("errors"), error);
    assertTrue(
        schemas.errors().values().stream().anyMatch(e -> e.startsWith("too many ways")),
        schemas.errors()::toString);
    assertFalse(schemas.errors().containsKey("f10.proto"));
    assertTrue(schemas.types().contains("p.M"));
  }

  @Test
  void imports_ofThemselvesOrInACircle_areErrors() {
    Schemas schemas =
        Schemas.of(
            Map.of(
                "self.proto", "import \"self.proto\"; message S {}",
                "a.proto", "import \"b.proto\"; message A {}",
                "b.proto", "import public \"c.proto\"; message B {}",
                "c.proto", "import weak \"a.proto\"; message C {}",
                "outside.proto", "import \"c.proto\"; message O {}",
                "good.proto", GOOD));
    assertEquals(
        Set.of("self.proto", "a.proto", "b.proto", "c.proto", "outside.proto"),
        schemas.errors().keySet());
    assertEquals(
        "Cyclic import: file=self.proto, import=self.proto;"
            + " remove one of the imports on the way",
        schemas.errors().get("self.proto"));
    assertEquals(Set.of("p.M"), schemas.types());
  }

  @Test
  void error_thatQuotesTheFile_isCut() {
    assertTrue(error("message A { optional " + "n".repeat(1020) + " f = 1; }").length() <= 1010);
  }

  @Test
  void conversions_ofSchemasParsedAhead_useWhatWasParsed() {
    long[] version = {0};
    Map<String, String> files = new TreeMap<>();
    Schemas schemas =
        Schemas.parsedAhead(
            new Schemas.Source() {
              @Override
              public long version() {
                return version[0];
              }

              @Override
              public Map<String, String> files() {
                return Map.copyOf(files);
              }
            });
    schemas.catchUp();
    assertFalse(schemas.isBehind());
    files.put("a.proto", GOOD);
    version[0]++;
    assertTrue(schemas.isBehind());
    String json = "{\"_type\":\"p.M\",\"f\":\"a\"}";
    assertThrows(InvalidRequestException.class, () -> schemas.fromJson(json));
    schemas.catchUp();
    assertFalse(schemas.isBehind());
    assertEquals(json, schemas.toJson(schemas.fromJson(json)));
    files.clear();
    version[0]++;
    schemas.catchUp();
    assertFalse(schemas.isBehind());
  }
}
