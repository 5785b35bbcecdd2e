package dev.isogrid.bench.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Counts the connections of this process, as Linux reports them. */
final class OpenConnections {
  private static final int REMOTE_FIELD = 2;
  private static final int INODE_FIELD = 9;
  private static final int HEXADECIMAL = 16;

  private OpenConnections() {}

  /** The connections of this process to some ports. */
  static long to(List<Integer> ports) throws IOException {
    Set<String> sockets = new HashSet<>();
    for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
      if (Files.exists(Path.of(table))) {
        Files.readAllLines(Path.of(table)).stream()
            .skip(1)
            .map(line -> line.strip().split(" +", -1))
            .filter(fields -> ports.contains(port(fields[REMOTE_FIELD])))
            .forEach(fields -> sockets.add("socket:[" + fields[INODE_FIELD] + "]"));
      }
    }
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      long count = 0;
      for (Path file : files.toList()) {
        if (Files.isSymbolicLink(file)
            && sockets.contains(Files.readSymbolicLink(file).toString())) {
          count++;
        }
      }
      return count;
    }
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), HEXADECIMAL);
  }
}
