package dev.isogrid.verify.fuzz;

import dev.isogrid.server.net.Shutdown;
import dev.isogrid.server.rest.RestProtocol;
import dev.isogrid.server.rest.WebRules;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A fuzz target for HTTP connections: all answers are responses. */
public final class RestFuzz {
  private static final FuzzedServer SERVER = new FuzzedServer();
  private static final RestProtocol PROTOCOL =
      new RestProtocol(
          SERVER.context(),
          new Shutdown(SERVER.context().node(), () -> {}),
          new WebRules(List.of(), List.of()));

  private RestFuzz() {}

  /** Sends one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    SERVER.feed(
        PROTOCOL::install,
        input,
        connection -> {
          String received = new String(connection.received(), StandardCharsets.ISO_8859_1);
          FuzzedServer.check(
              received.isEmpty() || received.startsWith("HTTP/1."), "not a response");
          connection.isOpen();
        });
  }
}
