package dev.isogrid.config;

import dev.isogrid.config.EndpointElement.Read;
import dev.isogrid.config.ServerSecurity.Realm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the element of a server: its interfaces, socket bindings and endpoint. */
final class ServerElement {
  private static final int PORT_MAX = 65_535;

  /** The name of the default socket binding. */
  private static final String DEFAULT_BINDING = "default";

  /** An element of a list, with its name in the list. */
  record Item(String name, Section section) {}

  /**
   * An address to listen on.
   *
   * @param address null if the document defines no interface
   * @param port with the offset added
   */
  record Binding(@Nullable String address, int port) {}

  private final Section server;
  private final Map<String, String> addresses = new LinkedHashMap<>();
  private final Map<String, Binding> bindings = new LinkedHashMap<>();
  private final Map<String, Realm> realms = new LinkedHashMap<>();

  /** Written by {@link #read}. */
  private Read endpointRead = Read.NOTHING;

  private ServerElement(Section server) {
    this.server = server;
  }

  /** Reads an element to its end. */
  static ServerElement read(Section server) {
    ServerElement element = new ServerElement(server);
    element.endpointRead = element.readAll();
    return element;
  }

  /** The endpoint of the server. */
  Read endpointRead() {
    return endpointRead;
  }

  /** Its realms by their names. */
  Map<String, Realm> realms() {
    return Collections.unmodifiableMap(realms);
  }

  private Read readAll() {
    server.children("interfaces").forEach(this::readInterfaces);
    server.children("socket-bindings").forEach(this::readBindings);
    server.children("security").forEach(child -> SecurityElement.readRealms(child, realms));
    server.refuse("data-sources");
    Read read = endpoint();
    server.finish();
    return read;
  }

  /** The realm of a name. */
  Realm realm(Section section, String name) {
    Realm realm = realms.get(name);
    if (realm == null) {
      throw section.undefined("security-realm", name, realms.keySet());
    }
    return realm;
  }

  private void readInterfaces(Section list) {
    for (Item item : items(list, "interface")) {
      String address = address(item.section());
      if (addresses.putIfAbsent(item.name(), address) != null) {
        throw twice(item);
      }
    }
  }

  private static String address(Section section) {
    section.refuse(
        "global",
        "link-local",
        "non-loopback",
        "site-local",
        "match-interface",
        "match-address",
        "match-host");
    List<String> found = new ArrayList<>();
    for (Section child : section.children("inet-address")) {
      String address = child.name("value");
      if (address == null || address.length() > 255 || address.contains(" ")) {
        throw child.invalid("value", "an address or a host name");
      }
      child.finish();
      found.add(address);
    }
    for (Section child : section.children("loopback")) {
      child.finish();
      found.add("127.0.0.1");
    }
    for (Section child : section.children("any-address")) {
      child.finish();
      found.add("0.0.0.0");
    }
    section.finish();
    if (found.size() != 1) {
      throw Complaint.malformed(
          "one of inet-address, loopback, any-address expected in " + section.path(),
          section.element().position());
    }
    return found.getFirst();
  }

  private void readBindings(Section list) {
    int offset = list.number("port-offset", 0, PORT_MAX, 0);
    String interfaceName = list.name("default-interface");
    String defaultAddress =
        interfaceName == null ? null : address(list, "default-interface", interfaceName);
    for (Item item : items(list, "socket-binding")) {
      Section section = item.section();
      int port = section.number("port", 0, PORT_MAX, -1);
      String own = section.name("interface");
      section.finish();
      if (port < 0 || port + offset > PORT_MAX) {
        throw section.invalid("port", "0 to %d, port-offset=%d added".formatted(PORT_MAX, offset));
      }
      String address = own == null ? defaultAddress : address(section, "interface", own);
      Binding binding =
          new Binding(
              address == null ? onlyAddress(section) : address, port == 0 ? 0 : port + offset);
      if (bindings.putIfAbsent(item.name(), binding) != null) {
        throw twice(item);
      }
    }
  }

  private String address(Section section, String attribute, String name) {
    String address = addresses.get(name);
    if (address == null) {
      throw section.undefined(attribute, name, addresses.keySet());
    }
    return address;
  }

  private @Nullable String onlyAddress(Section section) {
    if (addresses.size() > 1) {
      throw section.undefined("interface", "", addresses.keySet());
    }
    return addresses.isEmpty() ? null : addresses.values().iterator().next();
  }

  private Read endpoint() {
    List<Section> endpoints = new ArrayList<>();
    String inherited = null;
    String inheritedRealm = null;
    for (Section list : server.children("endpoints")) {
      List<Section> inner = list.children("endpoint");
      if (inner.isEmpty()) {
        endpoints.add(list);
      } else {
        inherited = list.name("socket-binding");
        inheritedRealm = list.name("security-realm");
        list.finish();
        endpoints.addAll(inner);
      }
    }
    if (endpoints.size() > 1) {
      throw endpoints.get(1).unsupported();
    }
    if (endpoints.isEmpty()) {
      Element nothing = Element.builder("endpoints", server.element().position()).build();
      endpoints.add(new Section(nothing, server.path() + "/endpoints", server.notes()));
    }
    return EndpointElement.read(endpoints.getFirst(), inherited, inheritedRealm, this);
  }

  /** The binding of an attribute, or else the default one; may be null. */
  @Nullable Binding binding(Section section, @Nullable String name) {
    if (name == null && bindings.size() == 1) {
      return bindings.values().iterator().next();
    }
    String actual = name == null ? DEFAULT_BINDING : name;
    Binding binding = bindings.get(actual);
    if (binding == null && (name != null || !bindings.isEmpty())) {
      throw section.undefined("socket-binding", actual, bindings.keySet());
    }
    return binding;
  }

  /**
   * The elements of a list, which is read to its end, in any form: children of a name, each with a
   * name as its attribute; the list itself repeated; or children with the names of the elements.
   */
  static List<Item> items(Section list, String itemName) {
    List<Item> items = new ArrayList<>();
    String ownName = list.name("name");
    if (ownName != null) {
      items.add(new Item(ownName, list));
      return items;
    }
    for (Section child : list.children(element -> isItem(element, itemName))) {
      Element element = child.element();
      String name = child.name("name");
      if (name != null) {
        items.add(new Item(name, child));
      } else if (element.name().equals(itemName)) {
        child.children(any -> true).forEach(c -> items.add(new Item(c.element().written(), c)));
        child.finish();
      } else {
        items.add(new Item(element.written(), child));
      }
    }
    list.finish();
    return items;
  }

  private static boolean isItem(Element element, String itemName) {
    return element.name().equals(itemName) || element.attribute("name") == null;
  }

  /** The refusal of an item whose name another one has. */
  static RuntimeException twice(Item item) {
    return Complaint.malformed(
        "%s twice: name=%s".formatted(item.section().path(), Complaint.shown(item.name())),
        item.section().element().position());
  }
}
