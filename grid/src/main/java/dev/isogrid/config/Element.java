package dev.isogrid.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a document of any format: a name, attributes and elements below. A document is an
 * element without a name that has the parts of the top level.
 *
 * @param name in kebab-case, empty for the document itself
 * @param written the name in the spelling of the document; differs for names of users, such as that
 *     of a cache
 * @param attributes in their order, no name twice; a list is a value with blanks between the items
 * @param children in their order; names repeat
 * @param text characters between the tags of XML, blanks at both ends removed
 * @param position the start of the element, approximately
 */
record Element(
    String name,
    String written,
    List<Attribute> attributes,
    List<Element> children,
    String text,
    Position position) {

  /**
   * A name with a value.
   *
   * @param name in kebab-case
   * @param value the value with its properties replaced
   * @param position the start of the value, approximately
   */
  record Attribute(String name, String value, Position position) {}

  Element {
    attributes = List.copyOf(attributes);
    children = List.copyOf(children);
  }

  /** The attribute of a kebab-case name, or null. O(attributes). */
  @Nullable Attribute attribute(String name) {
    for (Attribute attribute : attributes) {
      if (attribute.name().equals(name)) {
        return attribute;
      }
    }
    return null;
  }

  static Builder builder(String written, Position position) {
    return new Builder(written, position);
  }

  /** Collects an {@link Element}. */
  static final class Builder {
    private final String written;
    private final Position position;
    private final Map<String, Attribute> attributes = new LinkedHashMap<>();
    private final List<Element> children = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    private Builder(String written, Position position) {
      this.written = written;
      this.position = position;
    }

    /** Adds an attribute; refused if the name exists already, in any spelling. */
    Builder attribute(String written, String value, Position position) {
      String name = Names.kebab(written);
      if (attributes.putIfAbsent(name, new Attribute(name, value, position)) != null) {
        throw Complaint.malformed("attribute twice: name=" + Complaint.shown(name), position);
      }
      return this;
    }

    /** Adds an attribute of a document to be written. */
    Builder attribute(String name, Object value) {
      return attribute(name, value.toString(), Position.START);
    }

    Builder child(Element child) {
      children.add(child);
      return this;
    }

    Builder text(String part) {
      text.append(part);
      return this;
    }

    Element build() {
      return new Element(
          Names.kebab(written),
          written,
          List.copyOf(attributes.values()),
          children,
          text.toString().strip(),
          position);
    }
  }
}
