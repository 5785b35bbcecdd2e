package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentTest {
  private static Element read(String document) {
    return Document.read(document, null, PropertyLookup.none());
  }

  private static void refused(String document, String... parts) {
    Refusal.expect(() -> read(document), parts);
  }

  /** The tree in one line, without positions: {@code name@attribute=value(children)text}. */
  private static String show(Element element) {
    StringBuilder text = new StringBuilder(element.name());
    element
        .attributes()
        .forEach(a -> text.append('@').append(a.name()).append('=').append(a.value()));
    if (!element.children().isEmpty()) {
      text.append('(');
      element.children().forEach(child -> text.append(show(child)).append(' '));
      text.setCharAt(text.length() - 1, ')');
    }
    return text.append(element.text()).toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a b-c='1' d='x y'><e-f g='true'/><h/><k l='1'/><k l='2'/></a>",
        """
        {"a": {"b-c": 1, "d": ["x", "y"], "eF": {"g": true}, "h": null, "k": [{"l":1},{"l":"2"}]}}
        """,
        """
        a:
          bC: 1
          d: [x, y]
          e_f:
            g: true
          h: ~
          k:
            - l: 1
            - {l: '2'}
        """,
      })
  void read_sameContent_givesSameTree(String document) {
    assertEquals("(a@b-c=1@d=x y(e-f@g=true h k@l=1 k@l=2))", show(read(document)));
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"a\":{\"n\":1.50}}', 1.50",
    "'{\"a\":{\"n\":-1}}', -1",
    "'{\"a\":{\"n\":1e3}}', 1e3",
    "'{\"a\":{\"n\":false}}', false",
    "'{\"a\":{\"n\":\"null\"}}', null",
    "'{\"a\":{\"n\":[]}}', ''",
    "'a: {n: \"~\"}', ~",
    "'a: {n: 0x10}', 0x10",
    "'a: {n: \"\"}', ''",
    "'a: {n: !!str 1}', 1",
  })
  void read_scalar_keepsItsText(String document, String value) {
    assertEquals(value, read(document).children().getFirst().attributes().getFirst().value());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:", "a: ~", "a: null", "a: {}", "{\"a\":null}", "<a/>", "a: &x !!null"})
  void read_nothing_givesEmptyElement(String document) {
    assertEquals("(a)", show(read(document)));
  }

  @Test
  void read_nameOfUser_isKeptAsWritten() {
    Element child = read("{\"my:Own_Name\": {}}").children().getFirst();
    assertEquals("my:Own_Name", child.written());
    assertEquals("own-name", child.name());
  }

  @Test
  void read_aliasInYaml_repeatsValue() {
    assertEquals("(a@x=1 b@x=1)", show(read("a: &m {x: 1}\nb: *m\n")));
  }

  @Test
  void read_propertyInValue_isPutIn() {
    PropertyLookup lookup = name -> name.equals("p") ? "v" : null;
    for (String document :
        new String[] {"<a b='${p}'/>", "{\"a\":{\"b\":\"${p}\"}}", "a: {b: '${p}'}"}) {
      assertEquals("(a@b=v)", show(Document.read(document, null, lookup)));
    }
  }

  @Test
  void read_textOfXml_isStripped() {
    assertEquals("(a(b)x & <y>)", show(read("<a> x &amp; <b/><![CDATA[<y>]]>\n</a>")));
  }

  @Test
  void read_namespaceOfJson_isSkipped() {
    assertEquals(
        "(a@b=1)", show(read("{\"_namespace\":\"urn:x\",\"a\":{\"_namespace\":\"y\",\"b\":1}}")));
  }

  @Test
  void read_namespacesOfXml_areSkipped() {
    String document =
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <i:a xmlns:i="urn:infinispan:config:16.3" xmlns="urn:isogrid:config:1"
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="x y"
            i:b="1"><c/></i:a>
        """;
    assertEquals("(a@b=1(c))", show(read(document)));
  }

  @Test
  void read_byteOrderMark_isSkipped() {
    assertEquals("(a)", show(read("\uFEFF{\"a\":{}}")));
  }

  @Test
  void read_xml_knowsPositions() {
    Element b = read("<a>\n  <b c='1'/>\n</a>").children().getFirst().children().getFirst();
    assertEquals(2, b.position().line());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\n  \"a\": {\n    \"b\": 1}}", "q: 1\na:\n    b: 1"})
  void read_jsonAndYaml_knowPositions(String document) {
    Element a = read(document).children().getLast();
    assertEquals(new Position(3, 5), a.attributes().getFirst().position());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":{\"b\":1,\"b\":2}} | member twice: name=b",
        "{\"a\":{\"b-c\":1,\"bC\":2}} | attribute twice: name=b-c",
        "'a: {b: 1, b: 2}' | name twice: name=b",
        "'a: {b-c: 1, b_c: 2}' | attribute twice: name=b-c",
        "<a b='1' b='2'/> | malformed",
        "<a bC='1' b-c='2'/> | attribute twice: name=b-c",
      })
  void read_nameTwice_isRefused(String document, String part) {
    refused(document, part, "line=1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  \n",
        "\uFEFF",
        "<",
        "<a",
        "<a>",
        "<a></b>",
        "<a/><b/>",
        "<a b=c/>",
        "<a>&b;</a>",
        "{",
        "{\"a\"",
        "{\"a\":}",
        "{\"a\":{}}}",
        "{\"a\":{}} {}",
        "{'a':{}}",
        "{\"a\":{},}",
        "{\"a\":NaN}",
        "{\"a\":01}",
        "{//\n}",
        "[]",
        "[{\"a\":{}}]",
        "1",
        "a",
        "\"a\"",
        "~",
        "a: [b",
        "a: {b: 1",
        "a: b: c",
        "- a",
        "a: *b",
        "a: &b [*b]",
        "? [a]\n: b",
        "a:\n\tb: 1",
        "a: 1\n---\nb: 1",
        "%YAML 9.9\n---\na: 1",
        "a: \"\\q\"",
        "{\"a\":[[1]]}",
        "{\"a\":[1,{}]}",
        "a: [1, ~]",
        "? \n: a",
        "a: !!java.lang.Runtime {}",
        "a: !foo b",
        "<?xml version='1.0'?><?xml version='1.0'?><a/>",
        "<a xmlns:x='urn:y'><x:b/></a>",
        "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='file:///etc/passwd'/>",
        "a: \u0001",
        "<a>\u0001</a>",
        "<!-- a",
        "{\"a\":\"\u0001\"}",
      })
  void read_malformed_isRefused(String document) {
    refused(document, "malformed configuration document", "line=");
  }

  @Test
  void decode_bytesOfAnotherEncoding_areRefused() {
    byte[] latin = "<a b='é'/>".getBytes(StandardCharsets.ISO_8859_1);
    Refusal.expect(() -> Document.decode(latin), "not UTF-8");
  }

  @ParameterizedTest
  @CsvSource({
    "application/xml, XML",
    "text/xml, XML",
    "application/json;charset=utf-8, JSON",
    "APPLICATION/JSON, JSON",
    "application/yaml, YAML",
    "application/x-yaml, YAML",
    "text/yaml, YAML",
  })
  void ofMediaType_known_givesFormat(String mediaType, DocumentFormat format) {
    assertEquals(format, DocumentFormat.ofMediaType(mediaType));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "*/*", "", "application/octet-stream"})
  void ofMediaType_other_givesNull(String mediaType) {
    assertNull(DocumentFormat.ofMediaType(mediaType));
  }
}
