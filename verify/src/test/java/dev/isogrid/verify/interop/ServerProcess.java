package dev.isogrid.verify.interop;

import dev.isogrid.testkit.Children;
import dev.isogrid.testkit.FreePorts;
import dev.isogrid.testkit.ProcessOutput;
import dev.isogrid.verify.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server started by the launcher, as a user would; ended when this is closed. */
final class ServerProcess implements AutoCloseable {
  private static final Pattern READY = Pattern.compile(" ready on [^ ]*:(\\d+)");
  private static final long STOP_SECONDS = 120;

  /** The variable in which the launcher finds additional JVM options. */
  private static final String JAVA_OPTIONS = "ISOGRID_JAVA_OPTS";

  private final Process process;
  private final int port;
  private final int memcachedPort;
  private final String readyLine;

  private ServerProcess(Process process, int port, int memcachedPort, String readyLine) {
    this.process = process;
    this.port = port;
    this.memcachedPort = memcachedPort;
    this.readyLine = readyLine;
  }

  /** Starts a server on free ports and waits until it reports that it is ready. */
  static ServerProcess start(String... options) {
    return startWith("", options);
  }

  /** The same with additional JVM options. */
  static ServerProcess startWith(String javaOptions, String... options) {
    int memcachedPort = FreePorts.one();
    List<String> command = new ArrayList<>();
    command.add(Project.root().resolve("isogrid").toString());
    command.addAll(
        List.of("server", "--port", "0", "--memcached-port", String.valueOf(memcachedPort)));
    command.addAll(List.of(options));
    Path log = Project.root().resolve("verify/target/interop-server-" + memcachedPort + ".log");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
      builder.environment().merge(JAVA_OPTIONS, javaOptions, (given, more) -> given + " " + more);
      Process process = Children.start(builder);
      ProcessOutput.Line ready = ProcessOutput.await(process, READY);
      int port = Integer.parseInt(ready.match().group(1));
      return new ServerProcess(process, port, memcachedPort, ready.text());
    } catch (IOException e) {
      throw new UncheckedIOException("the server was not ready: " + lastLine(log), e);
    }
  }

  /** The last output of the server, which is the reason of its end. */
  private static String lastLine(Path log) {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.reduce((before, line) -> line).orElse("it said nothing") + "; see " + log;
    } catch (IOException e) {
      return "its log cannot be read: " + e;
    }
  }

  int port() {
    return port;
  }

  int memcachedPort() {
    return memcachedPort;
  }

  String readyLine() {
    return readyLine;
  }

  long pid() {
    return process.pid();
  }

  /** Asks the server to end, as Ctrl-C would, and waits for it. */
  int stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("the server did not stop within " + STOP_SECONDS + " s");
    }
    return process.exitValue();
  }

  /** Ends the server as a crash would. */
  void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
