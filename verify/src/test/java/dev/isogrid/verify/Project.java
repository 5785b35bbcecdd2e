package dev.isogrid.verify;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where the files of this project are. */
public final class Project {
  /** The modules that have Java sources. */
  public static final List<String> MODULES =
      List.of(
          "testkit",
          "api",
          "wire",
          "client",
          "client-pooled",
          "grid",
          "server",
          "verify",
          "verify/chaos",
          "bench",
          "bench/infinispan8");

  private Project() {}

  /** The root folder of the checkout: the one that holds the launcher. */
  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isRegularFile(folder.resolve("isogrid"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("not inside of a checkout: folder=" + Path.of("").toUri());
      }
    }
    return folder;
  }
}
