package dev.isogrid.chaos.cluster;

import dev.isogrid.chaos.time.RealTime;
import dev.isogrid.testkit.Children;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A node's process, which can be restarted at the same place. For one thread. */
public final class Node {
  private static final long READY_SECONDS_MAX = 90;
  private static final long END_SECONDS_MAX = 30;
  private static final int SHOWN_LINES = 5;

  private final Product product;
  private final Place place;
  private final Network network;
  private final Path log;
  private final RealTime time;
  private @Nullable Process process;
  private CompletableFuture<Void> ready = new CompletableFuture<>();
  private boolean isPaused;

  Node(Product product, Place place, Network network, Path log, RealTime time) {
    this.product = product;
    this.place = place;
    this.network = network;
    this.log = log;
    this.time = time;
  }

  /** The place of the node. */
  public Place place() {
    return place;
  }

  /** Whether its process runs or is paused. */
  public boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Whether it is paused. */
  public boolean isPaused() {
    return isPaused;
  }

  /** Starts it; {@link #awaitReady} waits until clients can connect. */
  void start(List<Place> seeds) throws IOException {
    List<String> command = network.inside(place.index(), product.command(place, seeds));
    note("starting: " + String.join(" ", command));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(product.environment());
    Process started = Children.start(builder);
    process = started;
    isPaused = false;
    CompletableFuture<Void> isReady = new CompletableFuture<>();
    ready = isReady;
    Thread.ofPlatform()
        .daemon()
        .name("output of " + place.name())
        .start(() -> copyOutput(started, isReady));
  }

  /** Waits until clients can connect. */
  void awaitReady() throws IOException, InterruptedException {
    try {
      ready.get(READY_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException failure) {
      discard();
      throw new IOException(
          "a node did not get ready: node=%s, cause=%s; see %s, which ends with: %s"
              .formatted(place.name(), failure, log, lastLines()),
          failure);
    }
  }

  private List<String> lastLines() throws IOException {
    List<String> lines = Files.readAllLines(log);
    return lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size());
  }

  private void copyOutput(Process from, CompletableFuture<Void> isReady) {
    try (BufferedReader in = from.inputReader(StandardCharsets.UTF_8);
        BufferedWriter out =
            Files.newBufferedWriter(
                log,
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.append("%9d ".formatted(time.millis())).append(line).append('\n');
        out.flush();
        if (line.contains(product.readyText())) {
          isReady.complete(null);
        }
      }
      isReady.completeExceptionally(new IOException("the process ended"));
    } catch (IOException failure) {
      isReady.completeExceptionally(failure);
    }
  }

  /** Writes a line into the log of the node. */
  void note(String text) {
    try {
      Files.writeString(
          log,
          "%9d ==== %s%n".formatted(time.millis(), text),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private Process running() {
    if (process == null || !process.isAlive()) {
      throw new IllegalStateException(
          "a node ended by itself: node=%s; see %s".formatted(place.name(), log));
    }
    return process;
  }

  /** Ends the process at once, as a power failure would. */
  void kill() throws IOException, InterruptedException {
    Process victim = running();
    note("kill -9");
    victim.destroyForcibly();
    awaitEnd(victim);
  }

  /** Asks the process to end, as an operator would, and waits for the end. */
  void stop() throws IOException, InterruptedException {
    Process leaving = running();
    note("kill -TERM");
    leaving.destroy();
    awaitEnd(leaving);
  }

  private void awaitEnd(Process ending) throws IOException, InterruptedException {
    if (!ending.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
      ending.destroyForcibly();
      throw new IOException(
          "a node did not end in %d s: node=%s; see %s"
              .formatted(END_SECONDS_MAX, place.name(), log));
    }
    note("ended with exit code " + ending.exitValue());
    process = null;
  }

  /** Stops all its threads, as a long pause of a virtual machine would. */
  void pause() throws IOException, InterruptedException {
    signal("STOP");
    isPaused = true;
  }

  /** Continues the process. */
  void resume() throws IOException, InterruptedException {
    signal("CONT");
    isPaused = false;
  }

  private void signal(String name) throws IOException, InterruptedException {
    long pid = running().pid();
    note("kill -" + name);
    Commands.run(List.of("kill", "-" + name, String.valueOf(pid)));
  }

  /** Ends the process if it runs, whatever its state. */
  void discard() {
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
