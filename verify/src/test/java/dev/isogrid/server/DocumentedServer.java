package dev.isogrid.server;

import dev.isogrid.testkit.FreePorts;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** A server in this process, as {@code isogrid server} would start it, for the documentation. */
public final class DocumentedServer implements AutoCloseable {
  private final Server server;
  private final int memcachedPort;

  private DocumentedServer(Server server, int memcachedPort) {
    this.server = server;
    this.memcachedPort = memcachedPort;
  }

  /** Starts a server on free ports. */
  public static DocumentedServer start() {
    int memcachedPort = FreePorts.one();
    String[] arguments = {
      "--port", "0", "--memcached-port", String.valueOf(memcachedPort), "--no-cluster"
    };
    ServerOptions options =
        Objects.requireNonNull(new CommandLineParser().parse(arguments, System.out));
    return new DocumentedServer(Server.start(ServerSettings.of(options, null)), memcachedPort);
  }

  /**
   * Reads the arguments of a server, without starting one.
   *
   * @throws dev.isogrid.api.InvalidRequestException if one is wrong
   */
  public static void check(List<String> arguments) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    new CommandLineParser(_ -> null).parse(arguments.toArray(String[]::new), nowhere);
  }

  /** Replaces the usual ports in a text by those of this server. */
  public String withPorts(String text) {
    return text.replace("11222", String.valueOf(server.address().getPort()))
        .replace("11211", String.valueOf(memcachedPort));
  }

  @Override
  public void close() {
    server.close();
  }
}
