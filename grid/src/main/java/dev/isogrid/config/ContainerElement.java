package dev.isogrid.config;

import dev.isogrid.config.Section.ValueType;
import dev.isogrid.config.SecurityElement.Authorization;
import dev.isogrid.config.ServerDocument.Container;

/** Reads the element of a cache container. */
final class ContainerElement {
  private ContainerElement() {}

  /** What an element says. */
  record Read(Container container, Authorization authorization) {
    static final Read NOTHING = new Read(Container.DEFAULT, Authorization.NONE);
  }

  /** Reads an element to its end; its caches and templates are collected, but not yet read. */
  static Read read(Section section, CacheDefinitions definitions) {
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
    Section transport = section.child("transport");
    String clusterName = transport == null ? null : transport.name("cluster");
    String nodeName = transport == null ? null : transport.name("node-name");
    if (transport != null) {
      finishTransport(transport);
    }
    section.ignoreElement("metrics");
    section.ignoreElement("tracing");
    Section security = section.child("security");
    Authorization authorization =
        security == null ? Authorization.NONE : SecurityElement.authorization(security);
    refuseElements(section);
    section.finish();
    return new Read(
        new Container(name, statistics, defaultCache, clusterName, nodeName), authorization);
  }

  private static void finishTransport(Section transport) {
    transport.ignore(ValueType.TIME, "lock-timeout");
    transport.refuse(
        "stack",
        "machine",
        "rack",
        "site",
        "initial-cluster-size",
        "initial-cluster-timeout",
        "raft-members");
    transport.finish();
  }

  private static void refuseElements(Section section) {
    Section jmx = section.child("jmx");
    if (jmx != null) {
      jmx.only("enabled", false);
      jmx.ignoreRest();
    }
    section.refuse(
        "serialization",
        "global-state",
        "eviction-containers",
        "memory-monitor",
        "counters",
        "clustered-locks");
  }
}
