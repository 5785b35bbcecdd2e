package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Texts that were schemas before something happened to them. */
class SchemaFuzzTest {
  private static final int SEEDS = 20;
  private static final int ROUNDS = 50;
  private static final int LENGTH_MAX = 20_000;

  /** Many times what the slowest text takes on an idle machine. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private static final String GOOD = "package good; message G { optional string f = 1; }";
  private static final List<String> VALID =
      List.of(
          """
          syntax = "proto3";
          package a.b;
          import "good.proto";
          /** Somebody. @Field(number = 1, name = "x") */
          message Person {
            reserved 4, 10 to 20, 1000 to max;
            string name = 1; // who
            repeated Address addresses = 2;
            map<string, int32> counts = 3;
            message Address { string street = 1; Kind kind = 2; }
            enum Kind { HOME = 0; WORK = 1; reserved 5 to 9; }
            oneof either { int64 left = 30; bytes right = 31; }
          }
          """,
          """
          import public "common-java-types.proto";
          option java_package = "x.y";
          message U { optional org.infinispan.protostream.commons.UUID id = 1 [deprecated=true]; }
          enum E { option allow_alias = true; A = 0; B = 0; }
          service S { rpc get(U) returns (U) {} }
          """,
          "/* @TypeId(1000001) */ message T { extensions 100 to 199; required double d = 1; }");
  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "(",
          ")",
          "[",
          "]",
          "<",
          ">",
          "\"",
          ";",
          "=",
          ",",
          ".",
          "/*",
          "*/",
          "//",
          "/**",
          "\n",
          "\r",
          "\0",
          "\ufeff",
          "\ud800",
          "@A(",
          "@A({",
          "-",
          "message M {",
          "enum E {",
          "oneof o {",
          "map<",
          "to",
          "reserved 1 to 536870911;",
          "536870911",
          "99999999999999999999",
          "max",
          "import \"fuzz.proto\";",
          "import \"good.proto\";",
          "import \"\";",
          "package p;",
          "extend M {",
          "group G = 1 {",
          "option x = {",
          "rpc a(b) returns (c) {",
          "é",
          "0x7fffffff");

  private static String mutated(Random random, String text) {
    StringBuilder out = new StringBuilder(text);
    for (int left = 1 + random.nextInt(6); left > 0 && out.length() < LENGTH_MAX; left--) {
      int at = random.nextInt(out.length() + 1);
      int end = Math.min(out.length(), at + random.nextInt(12));
      String piece = PIECES.get(random.nextInt(PIECES.size()));
      switch (random.nextInt(6)) {
        case 0 -> out.delete(at, end);
        case 1 -> out.insert(at, piece);
        case 2 -> out.replace(at, end, piece);
        case 3 -> out.insert(at, out.substring(at, Math.min(out.length(), at + 200)));
        case 4 -> out.insert(at, piece.repeat(1 + random.nextInt(2000)));
        default -> out.insert(at, (char) random.nextInt(256));
      }
    }
    return out.toString();
  }

  @Test
  void anyText_hasAnErrorOrIsKnown_andLeavesOthersAlone() {
    assertTimeoutPreemptively(
        LIMIT,
        () ->
            Seeds.run(
                SEEDS,
                random -> {
                  for (int round = 0; round < ROUNDS; round++) {
                    check(mutated(random, VALID.get(random.nextInt(VALID.size()))));
                  }
                }));
  }

  private static void check(String text) {
    Schemas schemas = Schemas.of(Map.of("fuzz.proto", text, "good.proto", GOOD));
    Set<String> wrong = schemas.errors().keySet();
    assertTrue(Set.of("fuzz.proto").containsAll(wrong), () -> wrong + " of " + text);
    assertTrue(schemas.types().contains("good.G"), text);
    schemas
        .errors()
        .values()
        .forEach(error -> assertTrue(!error.isBlank() && error.length() < 1100, text));
    assertEquals(
        "{\"_type\":\"good.G\",\"f\":\"a\"}",
        schemas.toJson(schemas.fromJson("{\"_type\":\"good.G\",\"f\":\"a\"}")));
  }
}
