package dev.isogrid.bench.process;

import dev.isogrid.bench.run.Checkout;
import java.io.IOException;

/** The command of the checkout, as users call it. */
public final class Launcher {
  /** A part of the line that a server prints when clients can connect. */
  public static final String READY_TEXT = " ready on ";

  /** A first build may have to fetch libraries. */
  private static final long BUILD_SECONDS_MAX = 900;

  private Launcher() {}

  /** Runs the launcher so that it builds the server if needed. Then no start waits for a build. */
  public static void buildServer(Checkout checkout) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(checkout.launcher(), "server", "--version");
    try (Child child =
        Child.start("isogrid", builder, READY_TEXT, checkout.logs().resolve("build.log"))) {
      if (child.awaitEnd(BUILD_SECONDS_MAX) != 0) {
        throw new IOException("the server can't be built; try ./isogrid server --version");
      }
    }
  }
}
