package dev.isogrid.bench.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.isogrid.bench.process.Child;
import dev.isogrid.bench.run.Checkout;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A {@link ClientProcess}, as its parent process sees it. */
final class ClientChild implements AutoCloseable {
  private static final long READY_SECONDS_MAX = 60;

  private final Child child;
  private final Socket socket;
  private final BufferedReader in;

  private ClientChild(Child child, int port) throws IOException {
    this.child = child;
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
  }

  /**
   * The settings of client processes.
   *
   * @param heap the heap, as {@code -Xmx} takes it
   * @param cache the name
   * @param keys the number of keys
   * @param valueSize in bytes
   */
  record Plan(String heap, String cache, int keys, int valueSize) {}

  /** Starts a process, which connects to servers on these ports. */
  static ClientChild start(Checkout checkout, Plan plan, ClientLibrary library, List<Integer> ports)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms" + plan.heap, "-Xmx" + plan.heap));
    command.addAll(
        List.of(
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Djava.net.preferIPv4Stack=true"));
    command.addAll(List.of("-cp", library.classPath(checkout), ClientProcess.class.getName()));
    command.addAll(
        List.of(
            library.name(), plan.cache, String.valueOf(plan.keys), String.valueOf(plan.valueSize)));
    ports.forEach(port -> command.add(String.valueOf(port)));
    Path log = checkout.logs().resolve("client-" + library.id() + ".log");
    Child child =
        Child.start(library.id(), new ProcessBuilder(command), ClientProcess.READY_TEXT, log);
    try {
      String line = child.awaitReady(READY_SECONDS_MAX).text();
      return new ClientChild(
          child, Integer.parseInt(line.substring(ClientProcess.READY_TEXT.length())));
    } catch (IOException | InterruptedException | RuntimeException failure) {
      child.close();
      throw failure;
    }
  }

  /** Lets it store all entries, and waits. */
  void fill() throws IOException {
    tell("fill");
    numbers();
  }

  /** Starts a load. */
  void begin(ClientCase load, int millis) throws IOException {
    tell("%s %d %d %d".formatted(load.work(), load.threads(), load.outstanding(), millis));
  }

  /** Waits for the end of the load. */
  ClientFigures end() throws IOException {
    return ClientFigures.of(numbers());
  }

  private void tell(String line) throws IOException {
    socket.getOutputStream().write((line + "\n").getBytes(US_ASCII));
  }

  private long[] numbers() throws IOException {
    String answer = in.readLine();
    if (answer == null) {
      throw new EOFException("the client ended; see its log");
    }
    return Arrays.stream(answer.split(" ", -1)).mapToLong(Long::parseLong).toArray();
  }

  @Override
  public void close() {
    child.kill();
    try {
      socket.close();
    } catch (IOException failure) {
      throw new UncheckedIOException("a connection to a client can't be closed", failure);
    }
  }
}
