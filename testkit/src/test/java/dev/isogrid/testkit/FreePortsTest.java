package dev.isogrid.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  private static final int MANY = 200;

  @Test
  void several_areDifferentAndFree() throws IOException {
    List<Integer> ports = FreePorts.several(20);
    assertEquals(20, new HashSet<>(ports).size());
    for (int port : ports) {
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        assertTrue(socket.isBound());
      }
    }
  }

  @Test
  void several_leaveTheNeighboursOfAllToTheNodes() {
    Set<Integer> ports = new HashSet<>(FreePorts.several(MANY));
    for (int port : ports) {
      assertFalse(ports.contains(port + 100), "port=" + port);
    }
    // all that come later, too
    for (int port : FreePorts.several(MANY)) {
      assertFalse(ports.contains(port - 100), "port=" + port);
    }
  }

  @Test
  void ports_ofTwoProcesses_areDifferent() throws IOException {
    Set<Integer> ours = new HashSet<>(FreePorts.several(MANY));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    Process process =
        new ProcessBuilder(java, "-cp", classPath, Other.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String theirs = ProcessOutput.await(process, Pattern.compile("ports (.*)")).match().group(1);
      for (String port : theirs.split(" ", -1)) {
        assertTrue(ours.add(Integer.parseInt(port)), "port=" + port);
      }
    } finally {
      process.destroyForcibly();
    }
  }

  /** Prints more ports than would be left over by chance. */
  static final class Other {
    private static final int THEIRS = 2_000;

    private Other() {}

    public static void main(String[] arguments) {
      StringBuilder line = new StringBuilder("ports");
      FreePorts.several(THEIRS).forEach(port -> line.append(' ').append(port));
      System.out.println(line);
    }
  }
}
