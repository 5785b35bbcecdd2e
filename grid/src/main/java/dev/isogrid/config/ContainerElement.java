package dev.isogrid.config;

import dev.isogrid.config.Section.ValueType;
import dev.isogrid.config.SecurityElement.Authorization;
import dev.isogrid.config.ServerDocument.Container;
import java.util.Map;

/** Reads the element of a cache container. */
final class ContainerElement {
  private ContainerElement() {}

  /** The content of an element. */
  record Read(Container container, Authorization authorization, TransportElement.Read transport) {
    static final Read NOTHING =
        new Read(Container.DEFAULT, Authorization.NONE, TransportElement.Read.NOTHING);
  }

  /**
   * Reads an element to its end. Collects its caches and templates without reading them.
   *
   * @param stackFiles files of JGroups stacks by their names
   */
  static Read read(
      Section section,
      CacheDefinitions definitions,
      Map<String, String> stackFiles,
      PropertyLookup properties) {
    String name = section.name("name");
    boolean statistics = section.flag("statistics", false);
    String defaultCache = section.name("default-cache");
    section.ignore(
        ValueType.TEXT,
        "shutdown-hook",
        "listener-executor",
        "expiration-executor",
        "non-blocking-executor",
        "blocking-executor");
    section.only("zero-capacity-node", false);
    definitions.addContainer(section);
    Section transportSection = section.child("transport");
    TransportElement.Read transport =
        transportSection == null
            ? TransportElement.Read.NOTHING
            : TransportElement.read(transportSection, stackFiles, properties);
    section.ignoreElement("metrics");
    section.ignoreElement("tracing");
    Section security = section.child("security");
    Authorization authorization =
        security == null ? Authorization.NONE : SecurityElement.authorization(security);
    refuseElements(section);
    section.finish();
    return new Read(
        new Container(
            name, statistics, defaultCache, transport.clusterName(), transport.nodeName()),
        authorization,
        transport);
  }

  private static void refuseElements(Section section) {
    Section jmx = section.child("jmx");
    if (jmx != null) {
      jmx.only("enabled", false);
      jmx.ignoreRest();
    }
    Section serialization = section.child("serialization");
    if (serialization != null) {
      serialization.ignore(Section.ValueType.TEXT, "version");
      serialization.ignoreElement("allow-list"); // classes are not deserialized anyway
      serialization.refuse("marshaller", "advanced-externalizer", "context-initializers");
      serialization.refuse("context-initializer");
      serialization.finish();
    }
    section.refuse("global-state", "eviction-containers", "memory-monitor", "clustered-locks");
    Section counters = section.child("counters");
    if (counters != null) {
      counters.refuse("num-owners", "reliability", "strong-counter", "weak-counter");
      counters.finish();
    }
  }
}
