package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PropertyExpansionTest {
  private static final Map<String, String> DEFINED =
      Map.of("a", "1", "b", "2", "env.HOME", "/h", "nested", "${a}", "empty", "");

  private static String expand(String value) {
    return new PropertyExpansion(DEFINED::get, new Budget()).expand(value, Position.START);
  }

  @ParameterizedTest
  @CsvSource({
    "plain, plain",
    "'', ''",
    "$a {a} $, $a {a} $",
    "${a}, 1",
    "${a}${b}, 12",
    "x${a}y${b}z, x1y2z",
    "${c:d}, d",
    "${c:}, ''",
    "${empty}, ''",
    "${empty:d}, ''",
    "'${c,a:d}', 1",
    "'${c, b ,a:d}', 2",
    "'${c,d:e}', e",
    "${c:http://h:1/}, http://h:1/",
    "${env.HOME}, /h",
    "${nested}, ${a}",
  })
  void expand_reference_putsValueIn(String value, String expanded) {
    assertEquals(expanded, expand(value));
  }

  @Test
  void expand_undefinedWithoutDefault_isRefused() {
    Refusal.expect(() -> expand("${c}"), "property not defined", "name=c");
  }

  @Test
  void expand_emptyName_isRefused() {
    Refusal.expect(() -> expand("${}"), "property reference not understood");
  }

  @Test
  void expand_missingBrace_isRefused() {
    Refusal.expect(() -> expand("x${a"), "without closing brace");
  }

  @Test
  void expand_referenceWithinDefault_isRefused() {
    Refusal.expect(() -> expand("${c:${a}}"), "property reference not understood");
  }

  @Test
  void expand_valueOfPropertyRepeatedTooOften_isRefused() {
    PropertyLookup large = name -> "x".repeat(1000);
    PropertyExpansion expansion = new PropertyExpansion(large, new Budget());
    Refusal.expect(
        () -> expansion.expand("${a}".repeat(10_000), Position.START), "too large", "length");
  }

  @Test
  void process_environmentVariable_isKnown() {
    Map.Entry<String, String> variable = System.getenv().entrySet().iterator().next();
    assertEquals(variable.getValue(), PropertyLookup.process().value("env." + variable.getKey()));
  }

  @Test
  void process_systemProperty_isKnown() {
    assertEquals(
        System.getProperty("java.version"), PropertyLookup.process().value("java.version"));
  }
}
