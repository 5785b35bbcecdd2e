package dev.isogrid.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ChildrenTest {
  private static final int ENOUGH_SECONDS = 60;

  /** Starts two processes, lets the first one end, names the second one, and stays. */
  static final class Parent {
    private Parent() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
      Children.start(new ProcessBuilder("true")).waitFor();
      Process child = Children.start(new ProcessBuilder("sleep", "1000"));
      System.out.println("child " + child.pid());
      int end = System.in.read();
      assert end < 0 : end;
    }
  }

  private static Process startParent() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            Parent.class.getName())
        .start();
  }

  private static ProcessHandle childOf(Process parent) throws IOException {
    ProcessOutput.Line line = ProcessOutput.await(parent, Pattern.compile("^child (\\d+)"));
    return ProcessHandle.of(Long.parseLong(line.match().group(1))).orElseThrow();
  }

  @Test
  void start_whenTheParentIsKilled_endsTheChild() throws Exception {
    Process parent = startParent();
    ProcessHandle child = childOf(parent);
    assertTrue(child.isAlive());

    parent.destroyForcibly().waitFor();

    child.onExit().get(ENOUGH_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void start_whenTheParentEndsByItself_endsTheChild() throws Exception {
    Process parent = startParent();
    ProcessHandle child = childOf(parent);

    parent.getOutputStream().close();

    child.onExit().get(ENOUGH_SECONDS, TimeUnit.SECONDS);
  }
}
