package dev.isogrid.bench.run;

import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Sees to it that figures are not those of a machine that has other work. */
public final class QuietMachine {
  /** The part of the processors that may be busy with other things. */
  static final double SHARE_MAX = 0.25;

  private QuietMachine() {}

  /**
   * Looks at the load of the last minute.
   *
   * @param whenBusy {@code refuse} or {@code mark}
   * @return a remark for the report if the machine is busy, or null
   * @throws InvalidRequestException if it is busy and that is to be refused
   */
  public static @Nullable String check(String whenBusy) throws IOException {
    Path file = Path.of("/proc/loadavg");
    if (!Files.isReadable(file)) {
      return null;
    }
    int processors = Runtime.getRuntime().availableProcessors();
    return check(Files.readString(file), processors, whenBusy);
  }

  /** The same for the text of {@code /proc/loadavg}. */
  static @Nullable String check(String text, int processors, String whenBusy) {
    if (!whenBusy.equals("refuse") && !whenBusy.equals("mark")) {
      throw new InvalidRequestException(
          "not known what to do on a busy machine: %s; refuse or mark".formatted(whenBusy));
    }
    double load = Double.parseDouble(text.split(" ", -1)[0]);
    if (load <= SHARE_MAX * processors) {
      return null;
    }
    String found = String.format(Locale.ROOT, "load=%.1f, processors=%d", load, processors);
    if (whenBusy.equals("refuse")) {
      throw new InvalidRequestException(
          "machine busy: %s; wait until it is quiet, or give --when-busy mark".formatted(found));
    }
    return "The machine had other work (%s): compare processor time and counts, not speeds."
        .formatted(found);
  }
}
