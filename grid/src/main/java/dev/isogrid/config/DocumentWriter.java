package dev.isogrid.config;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.config.Element.Attribute;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes the element of a cache, which has no text. Children of one name follow each other, and
 * have attributes only: they are a list in JSON and YAML.
 */
final class DocumentWriter {
  /** Texts that JSON and YAML write as numbers and booleans; readers accept both. */
  private static final Pattern NATIVE = Pattern.compile("true|false|0|-?[1-9][0-9]{0,17}");

  /** Texts that need no quotes in YAML, except some words. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9._/+-]*");

  /** Words that some version of YAML reads as something other than a text. */
  private static final Pattern YAML_WORDS =
      Pattern.compile("null|true|false|yes|no|on|off|y|n", Pattern.CASE_INSENSITIVE);

  /** Begins a property, which readers replace. */
  private static final String REFERENCE = "${";

  /** The same for readers: a property that nobody defines, with the dollar as its default. */
  private static final String REFERENCE_WRITTEN = "${isogrid.dollar:$}{";

  private final boolean pretty;
  private final StringBuilder out = new StringBuilder();

  private DocumentWriter(boolean pretty) {
    this.pretty = pretty;
  }

  /**
   * The text of a document.
   *
   * @param name the name of the cache: an attribute in XML, an object around the element otherwise
   */
  static String write(
      @Nullable String name, Element element, DocumentFormat format, boolean pretty) {
    DocumentWriter writer = new DocumentWriter(pretty || format != DocumentFormat.JSON);
    switch (format) {
      case XML -> writer.xmlDocument(name, element);
      case JSON -> writer.jsonDocument(name, element);
      case YAML -> writer.yamlDocument(name, element);
    }
    return writer.out.toString();
  }

  private void xmlDocument(@Nullable String name, Element element) {
    out.append("<?xml version=\"1.0\"?>\n");
    Element.Builder root = Element.builder(element.name(), Position.START);
    if (name != null) {
      if (name.contains(REFERENCE)) {
        throw new InvalidRequestException(
            "cache configuration can't be written: name=%s, format=XML; use another format"
                .formatted(Complaint.shown(name)));
      }
      root.attribute("name", name);
    }
    element.attributes().forEach(a -> root.attribute(a.name(), a.value()));
    element.children().forEach(root::child);
    xml(root.build(), 0);
  }

  private void xml(Element element, int depth) {
    out.append("  ".repeat(depth)).append('<').append(element.name());
    for (Attribute attribute : element.attributes()) {
      out.append(' ').append(attribute.name()).append("=\"");
      appendXml(attribute.name(), written(attribute));
      out.append('"');
    }
    if (element.children().isEmpty()) {
      out.append("/>\n");
      return;
    }
    out.append(">\n");
    for (Element child : element.children()) {
      xml(child, depth + 1);
    }
    out.append("  ".repeat(depth)).append("</").append(element.name()).append(">\n");
  }

  /** The value of an attribute in a form in which nothing is replaced. */
  private static String written(Attribute attribute) {
    return attribute.value().replace(REFERENCE, REFERENCE_WRITTEN);
  }

  private void appendXml(String attribute, String text) {
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append("&quot;");
        case '\t', '\n', '\r' -> out.append("&#").append(c).append(';'); // else it is a blank
        default -> {
          if (!isXml(c)) {
            throw new InvalidRequestException(
                "cache configuration can't be written: attribute=%s, character=U+%04X, format=XML;"
                        .formatted(attribute, c)
                    + " leave the character out");
          }
          out.appendCodePoint(c);
        }
      }
    }
  }

  /** Whether XML has a character, tabs and line breaks aside. */
  private static boolean isXml(int c) {
    return (c >= 0x20 && c < 0xD800) || (c > 0xDFFF && c < 0xFFFE) || c > 0xFFFF;
  }

  private void jsonDocument(@Nullable String name, Element element) {
    out.append('{');
    if (name == null) {
      json(List.of(element), 1);
    } else {
      jsonName(name, 1);
      out.append('{');
      json(List.of(element), 2);
      jsonBreak(1);
      out.append('}');
    }
    jsonBreak(0);
    out.append(pretty ? "}\n" : "}");
  }

  /** Children of one name as a member of an object: an object, or a list of them. */
  private void json(List<Element> alike, int depth) {
    jsonName(alike.getFirst().name(), depth);
    if (alike.size() == 1) {
      jsonObject(alike.getFirst(), depth);
      return;
    }
    String separator = "[";
    for (Element each : alike) {
      out.append(separator);
      jsonBreak(depth + 1);
      jsonObject(each, depth + 1);
      separator = ",";
    }
    jsonBreak(depth);
    out.append(']');
  }

  /** The content of an element. */
  private void jsonObject(Element element, int depth) {
    out.append('{');
    String separator = "";
    for (Attribute attribute : element.attributes()) {
      String value = written(attribute);
      out.append(separator);
      jsonName(attribute.name(), depth + 1);
      appendScalar(value, NATIVE.matcher(value).matches());
      separator = ",";
    }
    for (List<Element> alike : alike(element.children())) {
      out.append(separator);
      json(alike, depth + 1);
      separator = ",";
    }
    jsonBreak(depth);
    out.append('}');
  }

  /** The children of each name. */
  private static Collection<List<Element>> alike(List<Element> children) {
    Map<String, List<Element>> byName = new LinkedHashMap<>();
    for (Element child : children) {
      byName.computeIfAbsent(child.name(), _ -> new ArrayList<>()).add(child);
    }
    return byName.values();
  }

  private void jsonName(String name, int depth) {
    jsonBreak(depth);
    appendQuoted(name);
    out.append(pretty ? ": " : ":");
  }

  private void jsonBreak(int depth) {
    if (pretty) {
      out.append('\n').append("  ".repeat(depth));
    }
  }

  private void yamlDocument(@Nullable String name, Element element) {
    if (name == null) {
      yaml(List.of(element), 0);
    } else {
      appendScalar(name, isPlain(name));
      out.append(":\n");
      yaml(List.of(element), 1);
    }
  }

  private void yaml(List<Element> alike, int depth) {
    out.append("  ".repeat(depth)).append(Names.camel(alike.getFirst().name())).append(":\n");
    boolean isList = alike.size() > 1;
    for (Element element : alike) {
      String indent = isList ? "  ".repeat(depth + 1) + "- " : "  ".repeat(depth + 1);
      for (Attribute attribute : element.attributes()) {
        String value = written(attribute);
        out.append(indent).append(Names.camel(attribute.name())).append(": ");
        appendScalar(value, NATIVE.matcher(value).matches() || isPlain(value));
        out.append('\n');
        indent = "  ".repeat(isList ? depth + 2 : depth + 1);
      }
      alike(element.children()).forEach(children -> yaml(children, depth + 1));
    }
  }

  private static boolean isPlain(String text) {
    return PLAIN.matcher(text).matches() && !YAML_WORDS.matcher(text).matches();
  }

  private void appendScalar(String text, boolean bare) {
    if (bare) {
      out.append(text);
    } else {
      appendQuoted(text);
    }
  }

  /** A string in quotes, with the escapes that JSON and YAML have in common. */
  private void appendQuoted(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isInvisible(c)) {
        out.append("\\u%04x".formatted((int) c));
        continue;
      }
      if (c == '"' || c == '\\') {
        out.append('\\');
      }
      out.append(c);
    }
    out.append('"');
  }

  /** Whether a character can't stand for itself in JSON or YAML, or ends a line. */
  private static boolean isInvisible(char c) {
    return Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || c >= '\uFFFE';
  }
}
