package dev.isogrid.config;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.config.Element.Attribute;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes the element of a cache, whose children have different names and no text. */
final class DocumentWriter {
  /** Texts that JSON and YAML write as numbers and booleans; readers accept both. */
  private static final Pattern NATIVE = Pattern.compile("true|false|0|-?[1-9][0-9]{0,17}");

  /** Texts that need no quotes in YAML, except some words. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9._/+-]*");

  /** Words that some version of YAML reads as something other than a text. */
  private static final Pattern YAML_WORDS =
      Pattern.compile("null|true|false|yes|no|on|off|y|n", Pattern.CASE_INSENSITIVE);

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
      if (name.contains("${")) {
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
      appendXml(attribute.value());
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

  private void appendXml(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append("&quot;");
        default -> out.append(c);
      }
    }
  }

  private void jsonDocument(@Nullable String name, Element element) {
    out.append('{');
    if (name == null) {
      json(element, 1);
    } else {
      jsonName(name, 1);
      out.append('{');
      json(element, 2);
      jsonBreak(1);
      out.append('}');
    }
    jsonBreak(0);
    out.append(pretty ? "}\n" : "}");
  }

  /** The element as a member of an object: its name and an object of what it contains. */
  private void json(Element element, int depth) {
    jsonName(element.name(), depth);
    out.append('{');
    String separator = "";
    for (Attribute attribute : element.attributes()) {
      out.append(separator);
      jsonName(attribute.name(), depth + 1);
      appendScalar(attribute.value(), NATIVE.matcher(attribute.value()).matches());
      separator = ",";
    }
    for (Element child : element.children()) {
      out.append(separator);
      json(child, depth + 1);
      separator = ",";
    }
    jsonBreak(depth);
    out.append('}');
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
      yaml(element, 0);
    } else {
      appendScalar(name, isPlain(name));
      out.append(":\n");
      yaml(element, 1);
    }
  }

  private void yaml(Element element, int depth) {
    out.append("  ".repeat(depth)).append(Names.camel(element.name())).append(":\n");
    for (Attribute attribute : element.attributes()) {
      String value = attribute.value();
      out.append("  ".repeat(depth + 1)).append(Names.camel(attribute.name())).append(": ");
      appendScalar(value, NATIVE.matcher(value).matches() || isPlain(value));
      out.append('\n');
    }
    for (Element child : element.children()) {
      yaml(child, depth + 1);
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
      if (c == '"' || c == '\\') {
        out.append('\\');
      }
      out.append(c);
    }
    out.append('"');
  }
}
