package dev.isogrid.verify.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.verify.Project;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds every Java file of the project to the rules. */
class TidyTest {
  @Test
  void sources_ofAllModules_keepTheRules() throws IOException {
    List<JavaSource> sources = JavaSource.read(Project.root(), Project.javaFiles());
    assertFalse(sources.isEmpty(), "no sources found");

    List<Violation> found = new TidyRules(longMethods(), services(Project.root())).check(sources);

    assertEquals("", found.stream().map(Violation::toString).collect(Collectors.joining("\n")));
  }

  /** The build gives each of these classes a JVM of its own, and finds them by their names. */
  @Test
  void testsWithLincheck_areFoundByTheBuild() throws IOException {
    String pom = Files.readString(Project.root().resolve("verify/pom.xml"));
    assertTrue(pom.contains("<include>**/*LincheckTest.java</include>"), pom);
    int count = 0;
    for (Path file : Project.javaFiles()) {
      if (Files.readAllLines(file).contains("@Tag(\"lincheck\")")) {
        assertTrue(file.toString().endsWith("LincheckTest.java"), file::toString);
        count++;
      }
    }
    assertTrue(count > 0, "no tests with Lincheck found");
  }

  private static Set<String> services(Path root) throws IOException {
    Set<String> names = new HashSet<>();
    for (String module : Project.modules()) {
      Path folder = root.resolve(module).resolve("src/main/resources/META-INF/services");
      if (Files.isDirectory(folder)) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
          for (Path file : files) {
            names.addAll(Files.readAllLines(file));
          }
        }
      }
    }
    return names;
  }

  /** The methods that were too long when the limit came; this list only gets shorter. */
  private static Set<String> longMethods() throws IOException {
    try (InputStream in = TidyTest.class.getResourceAsStream("long-methods.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .collect(Collectors.toSet());
    }
  }
}
