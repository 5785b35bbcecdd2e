package dev.isogrid.server.rest;

import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Connected;
import dev.isogrid.server.security.Security;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests about the connections of clients to this server. Thread-safe. */
final class ConnectionRoutes {
  private static final int ID_SEGMENT = 4;

  private final ServerContext context;

  ConnectionRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    for (String version : List.of("rest/v2/", "rest/v3/")) {
      routes.add(Route.of(Verb.GET, version + "server/connections", null, _ -> list()));
      routes.add(Route.of(Verb.DELETE, version + "server/connections/*", null, this::close));
    }
    return routes;
  }

  private Security security() {
    return context.security();
  }

  /** Lists the connections, the oldest first. */
  private Answer list() {
    Json json = new Json().beginArray();
    security().connections().stream()
        .sorted(Comparator.comparingLong(Connected::sinceMillis).thenComparingLong(Connected::id))
        .forEach(each -> write(json, each));
    return Answer.json(json.endArray());
  }

  private void write(Json json, Connected each) {
    json.beginObject().name("id").value(each.id());
    json.name("server-node-name").value(context.node().nodeName());
    json.name("created").value(Instant.ofEpochMilli(each.sinceMillis()).toString());
    text(json, "principal", each.user());
    json.name("local-address").value(each.local());
    json.name("remote-address").value(each.remote());
    json.name("protocol-version").value(each.protocol());
    text(json, "ssl-protocol", each.tlsProtocol());
    text(json, "ssl-cipher-suite", each.cipherSuite());
    json.endObject();
  }

  private static void text(Json json, String name, @Nullable String value) {
    json.name(name);
    if (value == null) {
      json.raw("null");
    } else {
      json.value(value);
    }
  }

  private Answer close(AdminRequest request) {
    String id = request.path().get(ID_SEGMENT);
    boolean isClosed;
    try {
      isClosed = security().close(Long.parseLong(id));
    } catch (NumberFormatException _) {
      isClosed = false;
    }
    if (!isClosed) {
      throw new RestProblem(HttpResponseStatus.NOT_FOUND, "no such connection: id=" + id);
    }
    return Answer.noContent();
  }
}
