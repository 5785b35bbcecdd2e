package dev.isogrid.node;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The name of a node that was given none: host and process. The process alone is not enough, since
 * in each container it has number 1.
 */
final class DefaultNodeName {
  /** The kernel's name of the host; unlike a look-up it can't wait for a name server. */
  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

  private DefaultNodeName() {}

  /** The name for a node of this process; may look up the host's name. */
  static String ofThisProcess() {
    return of(hostName(), ProcessHandle.current().pid());
  }

  /**
   * The name for a node.
   *
   * @param host of which the first label is used
   */
  static String of(String host, long process) {
    int dot = host.indexOf('.');
    String label = dot < 0 ? host : host.substring(0, dot);
    return (label.isBlank() ? "n" : label.strip()) + "-" + process;
  }

  private static String hostName() {
    try {
      return Files.isReadable(KERNEL)
          ? Files.readString(KERNEL).strip()
          : InetAddress.getLocalHost().getHostName();
    } catch (IOException nameless) { // the process is still in the name
      return "";
    }
  }
}
