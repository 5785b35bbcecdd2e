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
 * five of XML itself. Nothing outside of the document is opened but the files that {@code
 * xi:include} names, if that is allowed.
 */
final class XmlReader {
  private static final String INCLUDES = "http://www.w3.org/2001/XInclude";
  private static final String SCHEMA_INSTANCE = XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI;

  private final XMLStreamReader reader;
  private final Budget budget;
  private final PropertyExpansion properties;
  private final @Nullable Includes includes;

  /** Elements around the document, if another one includes it. */
  private final int depthBefore;

  private final Deque<Element.Builder> open = new ArrayDeque<>();

  // tidy: what one document is read with
  private XmlReader(
      XMLStreamReader reader,
      Budget budget,
      PropertyExpansion properties,
      @Nullable Includes includes,
      int depthBefore) {
    this.reader = reader;
    this.budget = budget;
    this.properties = properties;
    this.includes = includes;
    this.depthBefore = depthBefore;
  }

  /**
   * The element without a name for a whole document.
   *
   * @param includes reads the files that it includes; null if it may include none
   */
  static Element read(
      String document, Budget budget, PropertyExpansion properties, @Nullable Includes includes) {
    return read(document, budget, properties, includes, 0);
  }

  private static Element read(
      String document,
      Budget budget,
      PropertyExpansion properties,
      @Nullable Includes includes,
      int depthBefore) {
    try {
      XMLStreamReader reader = factory().createXMLStreamReader(new StringReader(document));
      try {
        return new XmlReader(reader, budget, properties, includes, depthBefore).document();
      } finally {
        reader.close();
      }
    } catch (XMLStreamException e) {
      String file = includes == null ? "" : includes.file();
      throw Complaint.malformed(problem(e), position(e.getLocation(), file), e);
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
        case XMLStreamConstants.START_ELEMENT -> {
          if (includes != null && INCLUDES.equals(reader.getNamespaceURI())) {
            include(includes, open.isEmpty() ? document : open.peek());
          } else {
            start();
          }
        }
        case XMLStreamConstants.END_ELEMENT -> {
          if (INCLUDES.equals(reader.getNamespaceURI())) {
            continue; // the end of what stands in place of a file
          }
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

  /** Adds what a file has; if there is none, what its fallback has is read as if it stood here. */
  private void include(Includes files, Element.Builder parent) throws XMLStreamException {
    Position position = position();
    String href = reader.getAttributeValue(null, "href");
    String parse = reader.getAttributeValue(null, "parse");
    if (!reader.getLocalName().equals("include") || href == null || href.isBlank()) {
      throw Complaint.malformed(
          "include without href, or fallback without include: name=" + reader.getLocalName(),
          position);
    }
    if ((parse != null && !parse.equals("xml"))
        || reader.getAttributeCount() > (parse == null ? 1 : 2)) {
      throw Complaint.unsupported(
          "include", "xi:include", position, "use the attribute href alone");
    }
    Includes.Included file = files.tryRead(properties.expand(href, position), position);
    if (file == null) {
      findFallback(href, position);
      return;
    }
    int depth = depthBefore + open.size();
    Element included = read(file.text(), budget, properties, file.within(), depth);
    included.children().forEach(parent::child);
    skip();
  }

  /** Goes on to the content of the fallback of an include. */
  private void findFallback(String href, Position position) throws XMLStreamException {
    while (reader.next() != XMLStreamConstants.END_ELEMENT) {
      if (reader.isStartElement()) {
        if (INCLUDES.equals(reader.getNamespaceURI()) && reader.getLocalName().equals("fallback")) {
          return;
        }
        skip();
      }
    }
    throw Complaint.malformed(
        "included file does not exist: href=" + Complaint.shown(href), position);
  }

  /** Passes the rest of an element that has begun. */
  private void skip() throws XMLStreamException {
    for (int depth = 1; depth > 0; ) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> depth++;
        case XMLStreamConstants.END_ELEMENT -> depth--;
        default -> {} // what stands within it
      }
    }
  }

  private void start() {
    Position position = position();
    String name = reader.getLocalName();
    budget.node(depthBefore + open.size() + 2, position); // the document itself has depth 1
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
    budget.node(depthBefore + open.size() + 3, position);
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
    return position(reader.getLocation(), includes == null ? "" : includes.file());
  }

  private static Position position(@Nullable Location location, String file) {
    return location == null
        ? Position.START
        : new Position(
            Math.max(1, location.getLineNumber()), Math.max(1, location.getColumnNumber()), file);
  }

  /** The parser's message, without its position. */
  private static String problem(XMLStreamException e) {
    String message = String.valueOf(e.getMessage());
    int start = message.indexOf("Message: ");
    return Complaint.shown(start < 0 ? message : message.substring(start + "Message: ".length()));
  }
}
