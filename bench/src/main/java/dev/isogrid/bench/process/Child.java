package dev.isogrid.bench.process;

import dev.isogrid.bench.run.RealTime;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process that this one starts and ends. Its output goes to a file. */
public final class Child implements AutoCloseable {
  /** The time that a process has for an orderly end. */
  private static final long END_SECONDS_MAX = 10;

  private static final int CONNECT_MILLIS_MAX = 1000;

  /** The pause between two attempts to connect. */
  private static final long RETRY_MILLIS = 20;

  private final String name;
  private final Path log;
  private final Process process;
  private final long startNanos;
  private final CompletableFuture<ReadyLine> ready = new CompletableFuture<>();

  /**
   * The line in which a process reports that it is ready.
   *
   * @param text the line
   * @param afterNanos the time since the process was started
   */
  public record ReadyLine(String text, long afterNanos) {}

  private Child(String name, Path log, Process process, long startNanos) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.startNanos = startNanos;
  }

  /**
   * Starts a process.
   *
   * @param name for messages
   * @param readyText a part of the line that reports that it is ready
   * @param log the file for its output; replaced
   */
  public static Child start(String name, ProcessBuilder builder, String readyText, Path log)
      throws IOException {
    Files.createDirectories(log.toAbsolutePath().getParent());
    builder.redirectErrorStream(true);
    long startNanos = RealTime.nanos();
    Child child = new Child(name, log, builder.start(), startNanos);
    Thread.ofPlatform().daemon().name("output of " + name).start(() -> child.readAll(readyText));
    return child;
  }

  private void readAll(String readyText) {
    try (BufferedReader in = process.inputReader();
        BufferedWriter out = Files.newBufferedWriter(log, StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (!ready.isDone() && line.contains(readyText)) {
          ready.complete(new ReadyLine(line, RealTime.nanos() - startNanos));
        }
        out.append(line);
        out.newLine();
        out.flush();
      }
      ready.completeExceptionally(failure("ended before it was ready"));
    } catch (IOException failure) {
      ready.completeExceptionally(failure);
    }
  }

  private IOException failure(String what) {
    return new IOException("%s %s; its output: %s".formatted(name, what, log));
  }

  /** The process's id. */
  public long pid() {
    return process.pid();
  }

  /** Waits for the line that reports that the process is ready. */
  public ReadyLine awaitReady(long seconds) throws IOException, InterruptedException {
    try {
      return ready.get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException timeout) {
      throw new IOException("not ready in " + seconds + " s", failure("takes too long"));
    } catch (ExecutionException failure) {
      throw new IOException("not ready", failure.getCause());
    }
  }

  /** Waits until the process accepts connections on a port of the loopback address. */
  public void awaitPort(int port, long seconds) throws IOException, InterruptedException {
    long endNanos = RealTime.nanos() + TimeUnit.SECONDS.toNanos(seconds);
    while (!accepts(port)) {
      if (process.waitFor(RETRY_MILLIS, TimeUnit.MILLISECONDS)) {
        throw failure("ended with exit code " + process.exitValue());
      }
      if (RealTime.nanos() - endNanos > 0) {
        throw failure("does not listen on port " + port + " after " + seconds + " s");
      }
    }
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS_MAX);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** Waits for the process to end by itself. */
  public int awaitEnd(long seconds) throws IOException, InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      throw failure("does not end in " + seconds + " s");
    }
    return process.exitValue();
  }

  /** Ends the process by force. */
  public void kill() {
    process.destroyForcibly();
  }

  /** Ends the process, by force if it does not end in time. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
