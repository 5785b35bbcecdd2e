package dev.isogrid.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * What Linux and the JVM tell of a process.
 *
 * @param pid the process's id
 */
public record ProcessFacts(long pid) {
  /** Clock ticks a second in files of /proc: the same on every Linux that Java runs on. */
  private static final long TICKS_PER_SECOND = 100;

  /** The fields after the name of a process, from 0: the times in user mode and in the kernel. */
  private static final int USER_FIELD = 11;

  private static final int KERNEL_FIELD = 12;

  private static final long JCMD_SECONDS_MAX = 60;

  /** The lines of the heap in what {@code GC.heap_info} prints, whatever the collector. */
  private static final Pattern HEAP_USED =
      Pattern.compile("(?m)^ *(?! *(?:Metaspace|class space)).*\\bused (\\d+)K");

  /** The time on a processor of all its threads so far, to the hundredth of a second. */
  public double processorSeconds() throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[KERNEL_FIELD]);
    return (double) ticks / TICKS_PER_SECOND;
  }

  /** The memory of it that is not swapped out, in MB of 1,000,000 bytes. */
  public double residentMegabytes() throws IOException {
    String value =
        Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .findFirst()
            .orElseThrow(() -> new IOException("no resident memory: pid=" + pid));
    return Long.parseLong(value.replaceAll("\\D", "")) * 1024 / 1e6;
  }

  /** The heap of a JVM that is left after a full collection, in MB of 1,000,000 bytes. */
  public double liveHeapMegabytes() throws IOException, InterruptedException {
    jcmd("GC.run");
    String info = jcmd("GC.heap_info");
    long kibibytes =
        HEAP_USED.matcher(info).results().mapToLong(match -> Long.parseLong(match.group(1))).sum();
    if (kibibytes == 0) {
      throw new IOException("jcmd says nothing of the heap: pid=" + pid + ", output=" + info);
    }
    return kibibytes * 1024 / 1e6;
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), String.valueOf(pid), command)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(JCMD_SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("jcmd failed: pid=%d, output=%s".formatted(pid, output));
    }
    return output;
  }
}
