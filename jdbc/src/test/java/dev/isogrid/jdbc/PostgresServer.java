package dev.isogrid.jdbc;

import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL of this machine, with an empty database in a temporary folder. */
final class PostgresServer implements AutoCloseable {
  /** The folder of the versions in Debian. */
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

  /** The limit of a start. It takes some seconds on a busy machine. */
  private static final long COMMAND_SECONDS = 120;

  private final Path programs;
  private final Path folder;
  private final int port;

  private PostgresServer(Path programs, Path folder, int port) {
    this.programs = programs;
    this.folder = folder;
    this.port = port;
  }

  /** The folder of programs of the newest installed version; null if there is none. */
  static @Nullable Path programs() throws IOException {
    if (!Files.isDirectory(VERSIONS)) {
      return null;
    }
    try (Stream<Path> versions = Files.list(VERSIONS)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder())
          .orElse(null);
    }
  }

  static PostgresServer start(Path programs) throws IOException {
    Path folder = Files.createTempDirectory("isogrid-postgres");
    PostgresServer server = new PostgresServer(programs, folder, FreePorts.one());
    boolean isReady = false;
    try {
      if (isRoot()) {
        server.run(List.of("chown", "postgres", folder.toString()));
      }
      String data = folder.resolve("data").toString();
      server.runAsUser("initdb", "-D", data, "-U", "isogrid", "-A", "trust", "-N");
      server.runAsUser(
          "pg_ctl",
          "-D",
          data,
          "-w",
          "-l",
          folder.resolve("log").toString(),
          "-o",
          "-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
              .formatted(server.port),
          "start");
      Await.until("the database takes connections", server::answers);
      isReady = true;
    } finally {
      if (!isReady) {
        server.close();
      }
    }
    return server;
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** PostgreSQL refuses to run as root. */
  private void runAsUser(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    run(command);
  }

  private void run(List<String> command) throws IOException {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .directory(Path.of("/tmp").toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean hasEnded = process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS);
      if (!hasEnded || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException(
            "command failed: %s, output=%s".formatted(command, Files.readString(output)));
      }
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + command, interruption);
    }
  }

  private boolean answers() {
    try (var connection = DriverManager.getConnection(url())) {
      return connection.isValid(1);
    } catch (SQLException notYet) {
      return false;
    }
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:%d/postgres?user=isogrid".formatted(port);
  }

  @Override
  public void close() throws IOException {
    Path data = folder.resolve("data");
    if (Files.exists(data.resolve("postmaster.pid"))) {
      runAsUser("pg_ctl", "-D", data.toString(), "-m", "immediate", "-w", "stop");
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
