package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class HostileDocumentTest {
  /** Far above the cost of a permitted document, far below that of an attack. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static void refused(String document, String... parts) {
    assertTimeoutPreemptively(PATIENCE, () -> Refusal.ofCache(document, parts));
    assertTimeoutPreemptively(PATIENCE, () -> Refusal.ofServer(document, parts));
  }

  @Test
  void read_externalEntity_isRefusedUnopened(@TempDir Path directory) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "treasure");
    refused(
        "<!DOCTYPE a [<!ENTITY s SYSTEM '%s'>]><local-cache name='&s;'/>".formatted(secret.toUri()),
        "malformed");
  }

  @Test
  void read_externalDeclaration_isRefused() {
    refused("<!DOCTYPE a SYSTEM 'http://127.0.0.1:9/a.dtd'><local-cache/>", "type declaration");
  }

  @Test
  void read_parameterEntity_isRefused() {
    refused(
        "<!DOCTYPE a [<!ENTITY % p SYSTEM 'file:///dev/zero'> %p;]><local-cache/>",
        "type declaration");
  }

  @Test
  void read_entitiesOfEntities_areRefused() {
    StringBuilder document = new StringBuilder("<!DOCTYPE a [<!ENTITY e0 'lol'>");
    for (int i = 1; i < 12; i++) {
      document.append("<!ENTITY e%d '%s'>".formatted(i, "&e%d;".formatted(i - 1).repeat(10)));
    }
    refused(document.append("]><local-cache>&e11;</local-cache>").toString(), "malformed");
  }

  @Test
  void read_aliasesOfMappings_areRefused() {
    StringBuilder document = new StringBuilder("a0: &a0 {x: 1}\n");
    for (int i = 1; i < 8; i++) {
      document.append("a%d: &a%d {".formatted(i, i));
      for (int j = 0; j < 7; j++) {
        document.append("k%d: *a%d, ".formatted(j, i - 1));
      }
      document.append("}\n");
    }
    refused(document.toString(), "too large", "elements and attributes");
  }

  @Test
  void read_aliasesOfLongText_areRefused() {
    String list = "[" + "*t, ".repeat(9) + "*t]";
    String document =
        "t: &t %s\nm: &m {a: %s, b: %s, c: %s}\nn: {a: *m, b: *m}\n"
            .formatted("x".repeat(100_000), list, list, list);
    refused(document, "too large", "length of names and values");
  }

  @Test
  void read_manyAliases_areRefused() {
    refused("a: &a 1\nb: [" + "*a, ".repeat(100) + "]", "too large", "aliases above 64");
  }

  @Test
  void read_aliasOfItself_isRefused() {
    refused("a: &a\n  b: *a\n", "unknown anchor");
  }

  @Test
  void read_aliasesBelowEachOther_countAsDepth() {
    StringBuilder document = new StringBuilder("a0: &a0 {x: 1}\n");
    for (int i = 1; i < 40; i++) {
      document.append("a%d: &a%d {k: *a%d}\n".formatted(i, i, i - 1));
    }
    refused(document.toString(), "too large", "nesting depth above 32");
  }

  static List<String> deepDocuments() {
    int depth = 100_000;
    return List.of(
        "<a>".repeat(depth),
        "<a>".repeat(33) + "</a>".repeat(33),
        "{\"a\":".repeat(depth),
        "{\"a\":" + "[".repeat(depth),
        "{\"a\":".repeat(33) + "1" + "}".repeat(33),
        "a: " + "{a: ".repeat(depth),
        "a: " + "[".repeat(depth),
        "- ".repeat(depth) + "a",
        "? ".repeat(depth) + "a",
        nested(400));
  }

  private static String nested(int depth) {
    StringJoiner lines = new StringJoiner("\n");
    for (int i = 0; i < depth; i++) {
      lines.add(" ".repeat(i) + "a:");
    }
    return lines.toString();
  }

  @ParameterizedTest
  @MethodSource("deepDocuments")
  void read_deepNesting_isRefused(String document) {
    refused(document, "nesting depth above 32");
  }

  @ParameterizedTest
  @EnumSource(DocumentFormat.class)
  void read_twoMebibytes_areRefused(DocumentFormat format) {
    String blanks = " ".repeat(2 << 20);
    String document =
        switch (format) {
          case XML -> "<local-cache>" + blanks + "</local-cache>";
          case JSON -> "{\"local-cache\":" + blanks + "{}}";
          case YAML -> "localCache:" + blanks + "{}";
        };
    refused(document, "too large: length above 1048576");
    Refusal.expect(
        () -> CacheDocument.read(new byte[2 << 20], format, ReadContext.empty()), "too large");
  }

  static List<String> wideDocuments() {
    return List.of(
        "<local-cache>" + "<a/>".repeat(200_000) + "</local-cache>",
        "{\"local-cache\":[" + "{},".repeat(200_000) + "{}]}",
        "{\"local-cache\":{\"a\":[" + "1,".repeat(200_000) + "1]}}",
        "a: [" + "b,".repeat(200_000) + "]");
  }

  @ParameterizedTest
  @MethodSource("wideDocuments")
  void read_manyParts_areRefused(String document) {
    refused(document, "too large", "elements and attributes above 100000");
  }

  /** Documents of about 1 MiB that could drive a careless reader to quadratic time. */
  static List<String> slowDocuments() {
    int size = 1_000_000;
    return List.of(
        "<a " + attributes(70_000, "b%d='' "::formatted) + "/>",
        "{\"a\":{" + attributes(70_000, "\"b%d\":1,"::formatted) + "\"c\":1}}",
        "a: {" + attributes(70_000, "b%d: 1, "::formatted) + "}",
        "a: \"" + "\\n".repeat(size / 2),
        "a: |\n" + " x\n".repeat(size / 3) + "b",
        "a: " + "x ".repeat(size / 2) + ": y: z",
        "# ".repeat(size / 2),
        "a: &" + "x".repeat(size),
        "\n".repeat(size) + "-",
        "<a b='" + "&lt;".repeat(size / 4) + "'/>",
        "<a b='" + "${x:y}".repeat(size / 6) + "'/>",
        "<a>" + "]]".repeat(size / 2) + "</a>",
        "<!--" + "- ".repeat(size / 2) + "--><a/>",
        "<" + "a".repeat(size) + "/>",
        "<" + "A".repeat(size) + "/>",
        "{\"" + "\\u0041".repeat(size / 6) + "\":{}}",
        "{\"a\":" + "1".repeat(size) + "}",
        "{\"distributed-cache\":{\"owners\":" + "9".repeat(size) + "}}",
        "{\"distributed-cache\":{\"capacity-factor\":" + "1".repeat(size) + "}}",
        "{\"distributed-cache\":{\"encoding\":{\"media-type\":\"a/"
            + "b;".repeat(size / 2)
            + "\"}}}",
        "{\"distributed-cache\":{\"expiration\":{\"lifespan\":\"" + "1".repeat(size) + "d\"}}}");
  }

  private static String attributes(int count, IntFunction<String> attribute) {
    StringBuilder attributes = new StringBuilder();
    for (int i = 0; i < count; i++) {
      attributes.append(attribute.apply(i));
    }
    return attributes.toString();
  }

  @ParameterizedTest
  @MethodSource("slowDocuments")
  void read_largestDocument_isRefusedInTime(String document) {
    refused(document);
  }

  @Test
  void read_longChainOfTemplates_isRefused() {
    StringBuilder document = new StringBuilder("<infinispan><cache-container>");
    for (int i = 0; i < 5_000; i++) {
      document.append(
          "<local-cache-configuration name='t%d' configuration='t%d'/>".formatted(i, i + 1));
    }
    document.append("<local-cache-configuration name='t5000'/>");
    document.append("<local-cache name='c' configuration='t0'/></cache-container></infinispan>");
    refused(document.toString(), "at most 16 templates in a row");
  }

  @Test
  void read_controlCharactersInNames_stayOutOfMessages() {
    refused("{\"local-cache\":{\"a\\nb\\u001b[31m\":1}}");
    refused("{\"a\\r\\nERROR forged\":{\"local-cache\":{},\"x\":1}}");
  }
}
