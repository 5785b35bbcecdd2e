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

  /** How long the machine is watched, while this process does nothing. */
  private static final long WATCH_MILLIS = 4000;

  /** The first fields of the processors' line: user, nice, system, idle, iowait and others. */
  private static final int IDLE = 4;

  private static final int WAITING = 5;

  /** The fields after these count guests, whose time is that of users too. */
  private static final int FIELDS = 9;

  private QuietMachine() {}

  /**
   * Looks for some seconds what the processors do. The load average would not do: it remembers the
   * build and the benchmark before.
   *
   * @param whenBusy {@code refuse} or {@code mark}
   * @return a remark for the report if the machine is busy, or null
   * @throws InvalidRequestException if it is busy and that is to be refused
   */
  public static @Nullable String check(String whenBusy) throws IOException, InterruptedException {
    Path file = Path.of("/proc/stat");
    if (!Files.isReadable(file)) {
      return null;
    }
    String before = Files.readString(file);
    RealTime.pause(WATCH_MILLIS);
    return check(before, Files.readString(file), whenBusy);
  }

  /** The same for two texts of {@code /proc/stat}. */
  static @Nullable String check(String before, String after, String whenBusy) {
    if (!whenBusy.equals("refuse") && !whenBusy.equals("mark")) {
      throw new InvalidRequestException(
          "--when-busy %s is not allowed; give refuse or mark".formatted(whenBusy));
    }
    double share = busyShare(before, after);
    if (share <= SHARE_MAX) {
      return null;
    }
    String found = String.format(Locale.ROOT, "%.0f %% of its processors", 100 * share);
    if (whenBusy.equals("refuse")) {
      throw new InvalidRequestException(
          "machine busy with other work: %s; wait until it is quiet, or give --when-busy mark"
              .formatted(found));
    }
    return "The machine had other work (%s): compare processor time and counts, not speeds."
        .formatted(found);
  }

  private static double busyShare(String before, String after) {
    long[] first = ticks(before);
    long[] last = ticks(after);
    double all = last[0] - first[0];
    return all == 0 ? 0 : (last[1] - first[1]) / all;
  }

  /** The time of all processors, and that in which they were busy. */
  private static long[] ticks(String text) {
    String[] fields = text.lines().findFirst().orElse("").split(" +", -1);
    long all = 0;
    long busy = 0;
    for (int i = 1; i < Math.min(fields.length, FIELDS); i++) {
      long ticks = Long.parseLong(fields[i]);
      all += ticks;
      busy += i == IDLE || i == WAITING ? 0 : ticks;
    }
    return new long[] {all, busy};
  }
}
