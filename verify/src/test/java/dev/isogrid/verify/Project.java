package dev.isogrid.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** The locations of this project's files. */
public final class Project {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

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

  /** The folders of the modules that the parent pom builds, relative to the root. */
  public static List<String> modules() {
    try {
      return MODULE
          .matcher(Files.readString(root().resolve("pom.xml")))
          .results()
          .map(module -> module.group(1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All Java files of the checkout, sorted; without generated files. */
  public static List<Path> javaFiles() {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          root(),
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              String name = String.valueOf(folder.getFileName());
              boolean isOther = name.startsWith(".") || name.equals("target");
              return isOther ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (file.toString().endsWith(".java")) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    found.sort(Comparator.naturalOrder());
    return found;
  }
}
