package dev.isogrid.config;

import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.xml.XMLConstants;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads XML into elements. Document type declarations are refused, so there are no entities but the
 * five of XML itself, and nothing outside of the document is ever opened.
 */
final class XmlReader {
  private static final String SCHEMA_INSTANCE = XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI;

  private final XMLStreamReader reader;
  private final Budget budget;
  private final PropertyExpansion properties;
  private final Deque<Element.Builder> open = new ArrayDeque<>();

  private XmlReader(XMLStreamReader reader, Budget budget, PropertyExpansion properties) {
    this.reader = reader;
    this.budget = budget;
    this.properties = properties;
  }

  /** The element without a name for a whole document. */
  static Element read(String document, Budget budget, PropertyExpansion properties) {
    try {
      XMLStreamReader reader = factory().createXMLStreamReader(new StringReader(document));
      try {
        return new XmlReader(reader, budget, properties).document();
      } finally {
        reader.close();
      }
    } catch (XMLStreamException e) {
      throw Complaint.malformed(problem(e), position(e.getLocation()), e);
    }
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
    factory.setXMLResolver((publicId, systemId, base, namespace) -> {
      throw new XMLStreamException("external entities are not accepted");
    });
    return factory;
  }

  private Element document() throws XMLStreamException {
    Element.Builder document = Element.builder("", Position.START);
    while (reader.hasNext()) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> start();
        case XMLStreamConstants.END_ELEMENT -> {
          Element element = open.pop().build();
          (open.isEmpty() ? document : open.peek()).child(element);
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text();
        case XMLStreamConstants.DTD ->
            throw Complaint.malformed("document type declaration", position());
        case XMLStreamConstants.ENTITY_REFERENCE ->
            throw Complaint.malformed("entity reference", position());
        default -> {} // comments, processing instructions and blanks outside of the root
      }
    }
    return document.build();
  }

  private void start() {
    Position position = position();
    String name = reader.getLocalName();
    budget.node(open.size() + 2, position); // the document itself has depth 1
    budget.text(name.length(), position);
    checkNamespace(reader.getNamespaceURI(), name, position);
    Element.Builder builder = Element.builder(name, position);
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      if (!SCHEMA_INSTANCE.equals(reader.getAttributeNamespace(i))) {
        attribute(i, builder, position);
      }
    }
    open.push(builder);
  }

  private void attribute(int index, Element.Builder builder, Position position) {
    String name = reader.getAttributeLocalName(index);
    budget.node(open.size() + 3, position);
    budget.text(name.length(), position);
    checkNamespace(reader.getAttributeNamespace(index), name, position);
    String value = properties.expand(reader.getAttributeValue(index), position);
    builder.attribute(name, value, position);
  }

  private void text() {
    Element.Builder element = open.peek();
    if (element != null) {
      element.text(properties.expand(reader.getText(), position()));
    }
  }

  private static void checkNamespace(@Nullable String uri, String name, Position position) {
    if (uri == null || uri.isEmpty()) {
      return;
    }
    boolean known =
        uri.startsWith("urn:infinispan:")
            || uri.startsWith("urn:isogrid:")
            || uri.equals("urn:org:jgroups");
    if (!known) {
      String what = "namespace=" + Complaint.shown(uri) + ", name=" + Complaint.shown(name);
      throw Complaint.malformed("unknown namespace: " + what, position);
    }
  }

  private Position position() {
    return position(reader.getLocation());
  }

  private static Position position(@Nullable Location location) {
    return location == null
        ? Position.START
        : new Position(
            Math.max(1, location.getLineNumber()), Math.max(1, location.getColumnNumber()));
  }

  /** The parser's own words, without the position that it puts before them. */
  private static String problem(XMLStreamException e) {
    String message = String.valueOf(e.getMessage());
    int start = message.indexOf("Message: ");
    return Complaint.shown(start < 0 ? message : message.substring(start + "Message: ".length()));
  }
}
