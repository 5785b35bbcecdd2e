package dev.isogrid.server.rest;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The memory that the operating system has given to this process, in bytes; -1 where the system
 * does not say. Linux says it.
 *
 * @param residentBytes in the machine's memory
 * @param residentMaxBytes the most so far
 * @param fileBytes the part of it that is a copy of files: libraries, and classes that JVMs share
 * @param swappedBytes on the disk instead
 */
record ProcessMemory(long residentBytes, long residentMaxBytes, long fileBytes, long swappedBytes) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final long UNKNOWN = -1;
  private static final long BYTES_PER_KB = 1024;

  /** Reads the figures of this process. */
  static ProcessMemory read() {
    String status;
    try {
      status = Files.readString(STATUS, StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      status = ""; // a system without it
    }
    return of(status);
  }

  /** Reads the figures from a text of lines such as {@code VmRSS: 1024 kB}. */
  static ProcessMemory of(String status) {
    return new ProcessMemory(
        bytes(status, "VmRSS"),
        bytes(status, "VmHWM"),
        bytes(status, "RssFile"),
        bytes(status, "VmSwap"));
  }

  private static long bytes(String status, String name) {
    return status
        .lines()
        .filter(line -> line.startsWith(name + ":") && line.endsWith(" kB"))
        .mapToLong(
            line -> Long.parseLong(line.substring(name.length() + 1, line.length() - 3).strip()))
        .map(kilobytes -> kilobytes * BYTES_PER_KB)
        .findFirst()
        .orElse(UNKNOWN);
  }

  /** Adds the figures, with those of threads and of the buffers of connections. */
  void addTo(Json json) {
    json.name("process").beginObject();
    json.name("resident_bytes").value(residentBytes);
    json.name("resident_max_bytes").value(residentMaxBytes);
    json.name("file_bytes").value(fileBytes);
    json.name("swapped_bytes").value(swappedBytes);
    json.name("network_bytes").value(networkBytes());
    json.name("threads").value(ManagementFactory.getThreadMXBean().getThreadCount());
    json.endObject();
  }

  /** The bytes of the buffers of connections off the heap. */
  private static long networkBytes() {
    return ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider provider
        ? provider.metric().usedDirectMemory()
        : UNKNOWN;
  }
}
