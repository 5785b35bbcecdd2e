package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Requests about the activity and configuration of a server. Thread-safe. */
final class ServerRoutes {
  private final ServerContext context;

  ServerRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    for (String version : List.of("rest/v2/", "rest/v3/")) {
      routes.add(Route.of(Verb.GET, version + "server/threads", null, _ -> threads()));
      routes.add(Route.of(Verb.GET, version + "server/stores", null, _ -> stores()));
      routes.add(Route.of(Verb.GET, version + "server/config", null, _ -> configuration()));
      routes.add(Route.of(Verb.GET, version + "container/config", null, _ -> configuration()));
    }
    return routes;
  }

  /** The stacks of all platform threads: those of virtual threads are too many to show. */
  private static Answer threads() {
    StringBuilder text = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach((thread, stack) -> {
          text.append('"').append(thread.getName()).append("\" #").append(thread.threadId());
          text.append(thread.isDaemon() ? " daemon " : " ").append(thread.getState()).append('\n');
          for (StackTraceElement frame : stack) {
            text.append("\tat ").append(frame).append('\n');
          }
          text.append('\n');
        });
    return Answer.plain(text.toString());
  }

  /** The stores of the caches on this node, with the work of their journals. */
  private Answer stores() {
    Json json = new Json().beginArray();
    for (String name : context.node().cacheNames()) {
      CacheEngine<BinaryKey, Bytes> engine = context.engine(name);
      if (engine != null) {
        StoreReport.add(json, engine);
      }
    }
    return Answer.json(json.endArray());
  }

  /** The container with its caches, as a document would define them. */
  private Answer configuration() {
    Json json = new Json().beginObject().name("infinispan").beginObject();
    json.name("cache-container").beginObject().name("name").value(ContainerRoutes.CONTAINER);
    json.name("caches").beginObject();
    for (String name : context.node().cacheNames()) {
      CacheConfig config = context.catalog().config(name);
      if (config != null) {
        List<String> aliases = context.catalog().aliasesOf(name);
        NamedCacheConfig shown = new NamedCacheConfig(name, config, List.of(), aliases);
        json.name(name).raw(element(CacheDocument.show(shown, DocumentFormat.JSON, false), name));
      }
    }
    return Answer.json(json.endObject().endObject().endObject().endObject());
  }

  /** A document without its outermost object, whose only member is the name. */
  private static String element(String document, String name) {
    String start = new Json().beginObject().name(name).toString();
    return document.startsWith(start)
        ? document.substring(start.length(), document.length() - 1)
        : document;
  }
}
