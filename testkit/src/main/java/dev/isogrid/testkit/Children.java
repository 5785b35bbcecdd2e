package dev.isogrid.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starts processes that end with this JVM at the latest, even if this JVM is killed. Thread-safe.
 *
 * <p>A shell, started with the first process, knows the number of each one that lives. Its input
 * ends when this JVM does, in whatever way; then the shell kills the ones that are left.
 */
public final class Children {
  /** Signals of a terminal are for this JVM: the shell outlives it to do its work. */
  private static final String REAPER =
      """
      trap '' INT TERM HUP
      alive=' '
      while read -r change pid; do
        case $change in
          begins) alive="$alive$pid " ;;
          ends) case $alive in *" $pid "*) alive="${alive%%" $pid "*} ${alive#*" $pid "}" ;; esac ;;
        esac
      done
      [ "$alive" = ' ' ] || kill -9 $alive
      """;

  private static final Object LOCK = new Object();

  // written by: the first start, with the lock held
  private static @Nullable OutputStream reaper;

  private Children() {}

  /**
   * Starts a process.
   *
   * @throws IOException if it can't be started
   */
  public static Process start(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    tell("begins", process);
    process.onExit().thenAccept(ended -> tellOfEnd(ended));
    return process;
  }

  private static void tellOfEnd(Process process) {
    try {
      tell("ends", process);
    } catch (IOException e) {
      throw new UncheckedIOException("the shell that ends orphans is gone", e);
    }
  }

  private static void tell(String change, Process process) throws IOException {
    String line = change + " " + process.pid() + "\n";
    synchronized (LOCK) {
      OutputStream out = reaper;
      if (out == null) {
        out = startReaper();
        reaper = out;
      }
      out.write(line.getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }
  }

  private static OutputStream startReaper() throws IOException {
    return new ProcessBuilder(List.of("sh", "-c", REAPER))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .getOutputStream();
  }
}
