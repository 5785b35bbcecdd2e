package dev.isogrid.bench.process;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Measurements of a process by Linux and the JVM.
 *
 * @param pid the process's id
 */
public record ProcessFacts(long pid) {
  /** Clock ticks per second in files of /proc: the same on every Linux that Java runs on. */
  private static final long TICKS_PER_SECOND = 100;

  /** The fields after the name of a process, from 0: the times in user mode and in the kernel. */
  private static final int USER_FIELD = 11;

  private static final int KERNEL_FIELD = 12;

  private static final String VOLUNTARY = "voluntary_ctxt_switches:";
  private static final String INVOLUNTARY = "nonvoluntary_ctxt_switches:";

  private static final long JCMD_SECONDS_MAX = 60;

  /** The lines of the heap in the output of {@code GC.heap_info}, for every collector. */
  private static final Pattern HEAP_USED =
      Pattern.compile("(?m)^ *(?! *(?:Metaspace|class space)).*\\bused (\\d+)K");

  private static final Pattern ADDRESS = Pattern.compile("\\b0x([0-9a-f]{1,16})\\b");

  private static final int HEXADECIMAL = 16;

  /** The processor time of all its threads so far, to the hundredth of a second. */
  public double processorSeconds() throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[KERNEL_FIELD]);
    return (double) ticks / TICKS_PER_SECOND;
  }

  /**
   * How often threads gave a processor back.
   *
   * @param voluntary because they had to wait
   * @param involuntary because others were to run
   */
  public record Switches(long voluntary, long involuntary) {}

  /**
   * The switches so far of all its threads that live: those of threads that ended meanwhile are
   * missing.
   */
  public Switches switches() throws IOException {
    long voluntary = 0;
    long involuntary = 0;
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads) {
        for (String line : statusOf(thread)) {
          if (line.startsWith(VOLUNTARY)) {
            voluntary += number(line);
          } else if (line.startsWith(INVOLUNTARY)) {
            involuntary += number(line);
          }
        }
      }
    }
    return new Switches(voluntary, involuntary);
  }

  private static List<String> statusOf(Path thread) throws IOException {
    try {
      return Files.readAllLines(thread.resolve("status"));
    } catch (NoSuchFileException | FileNotFoundException ended) {
      return List.of();
    }
  }

  private static long number(String line) {
    return Long.parseLong(line.replaceAll("\\D", ""));
  }

  /** Its memory that is not swapped out, in MB of 1,000,000 bytes. */
  public double residentMegabytes() throws IOException {
    String value =
        Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .findFirst()
            .orElseThrow(() -> new IOException("no resident memory: pid=" + pid));
    return number(value) * 1024 / 1e6;
  }

  /** The bytes that it had the system write to a disk so far, those of files that are gone too. */
  public long writtenBytes() throws IOException {
    String value =
        Files.readAllLines(Path.of("/proc/" + pid + "/io")).stream()
            .filter(line -> line.startsWith("write_bytes:"))
            .findFirst()
            .orElseThrow(() -> new IOException("no written bytes: pid=" + pid));
    return Long.parseLong(value.replaceAll("\\D", ""));
  }

  /** The used heap of a JVM after a full collection, in MB of 1,000,000 bytes. */
  public double liveHeapMegabytes() throws IOException, InterruptedException {
    return liveHeap().usedBytes() / 1e6;
  }

  /**
   * The heap of a JVM.
   *
   * @param usedBytes the bytes of objects in it
   * @param start the address of its first byte
   * @param end the address after the reserved range
   */
  public record Heap(long usedBytes, long start, long end) {
    /** No heap: the process is not a JVM. */
    public static final Heap NONE = new Heap(0, 0, 0);

    /** Parses the output of {@code GC.heap_info}; empty if it has no lines of the heap. */
    static Optional<Heap> parse(String info) {
      long kibibytes =
          HEAP_USED
              .matcher(info)
              .results()
              .mapToLong(match -> Long.parseLong(match.group(1)))
              .sum();
      LongSummaryStatistics addresses =
          ADDRESS
              .matcher(info)
              .results()
              .mapToLong(match -> Long.parseUnsignedLong(match.group(1), HEXADECIMAL))
              .summaryStatistics();
      return kibibytes == 0 || addresses.getCount() == 0
          ? Optional.empty()
          : Optional.of(new Heap(kibibytes * 1024, addresses.getMin(), addresses.getMax()));
    }
  }

  /** The heap of a JVM after a full collection. */
  public Heap liveHeap() throws IOException, InterruptedException {
    jcmd("GC.run");
    String info = jcmd("GC.heap_info");
    return Heap.parse(info)
        .orElseThrow(() ->
            new IOException("jcmd says nothing of the heap: pid=" + pid + ", output=" + info));
  }

  /** All memory of the process. */
  public MappedMemory memory() throws IOException {
    return MappedMemory.parse(
        Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup")), 0, Long.MAX_VALUE);
  }

  /** The memory of the process from an address to another. */
  public MappedMemory memory(long start, long end) throws IOException {
    return MappedMemory.parse(Files.readAllLines(Path.of("/proc/" + pid + "/smaps")), start, end);
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
