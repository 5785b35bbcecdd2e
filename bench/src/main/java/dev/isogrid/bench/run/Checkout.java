package dev.isogrid.bench.run;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The checkout that contains this build.
 *
 * @param root its folder, the one with the launcher
 */
public record Checkout(Path root) {
  /** Finds it above the first entry of the class path, which is the jar of the benchmarks. */
  public static Checkout find() {
    String classPath = System.getProperty("java.class.path");
    Path jar = Path.of(classPath.split(File.pathSeparator, 2)[0]).toAbsolutePath().normalize();
    for (Path folder = jar.getParent(); folder != null; folder = folder.getParent()) {
      if (Files.isExecutable(folder.resolve("isogrid"))) {
        return new Checkout(folder);
      }
    }
    throw new IllegalStateException("no checkout around the benchmarks: jar=" + jar);
  }

  /** The command that builds and runs everything. */
  public String launcher() {
    return root.resolve("isogrid").toString();
  }

  /** The folder of reports. */
  public Path results() {
    return root.resolve("bench").resolve("results");
  }

  /** The folder of the output of child processes. */
  public Path logs() {
    return root.resolve("bench").resolve("target").resolve("logs");
  }
}
