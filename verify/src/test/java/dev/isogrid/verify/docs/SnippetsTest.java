package dev.isogrid.verify.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.config.DocumentedConfiguration;
import dev.isogrid.server.DocumentedServer;
import dev.isogrid.server.Server;
import dev.isogrid.testkit.FreePorts;
import dev.isogrid.verify.Project;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The code in the documentation: Java is compiled and run, XML is read; the rest names the test
 * that runs it. {@code ShellSnippetsTest} runs the commands.
 */
class SnippetsTest {
  /** Languages of blocks without code, and of blocks that another test runs. */
  private static final Set<String> OTHERS = Set.of("", "text", "sh", "proto");

  private static final Pattern VERSION = Pattern.compile("<version>([^<]*)</version>");

  @TempDir static Path folder;
  private static DocumentedServer server;
  private static JavaSnippets java;

  @BeforeAll
  static void startAServer() {
    server = DocumentedServer.start();
    java = new JavaSnippets(folder);
  }

  @AfterAll
  static void stopTheServer() throws IOException {
    server.close();
    java.close();
  }

  /** Replaces the ports of cluster programs by free ones. */
  private static String withPorts(String text) {
    return server
        .withPorts(text)
        .replace("bindPort(7804)", "bindPort(" + FreePorts.one() + ")")
        .replace(".seeds(List.of(\"127.0.0.1:7801\"))", ".seeds(List.of())");
  }

  @TestFactory
  List<DynamicTest> snippets() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Snippet snippet : Snippet.all()) {
      if (snippet.remark("run by") == null && !OTHERS.contains(snippet.language())) {
        tests.add(DynamicTest.dynamicTest(snippet.place(), () -> check(snippet)));
      }
    }
    assertTrue(tests.size() > 10, () -> "snippets=" + tests.size());
    return tests;
  }

  private static void check(Snippet snippet) throws IOException, ReflectiveOperationException {
    switch (snippet.language()) {
      case "java" -> {
        String printed = java.run(snippet, withPorts(snippet.text()));
        if (snippet.output() != null) {
          assertEquals(snippet.output(), printed, snippet.place());
        }
      }
      case "xml" -> {
        if (snippet.text().startsWith("<infinispan>")) {
          DocumentedConfiguration.read(snippet.text());
        } else {
          VERSION
              .matcher(snippet.text())
              .results()
              .forEach(version -> assertEquals(Server.VERSION, version.group(1)));
        }
      }
      case "yaml" -> DocumentedConfiguration.readCache(snippet.text());
      default -> throw new AssertionError("no test runs this language: " + snippet);
    }
  }

  @Test
  void remarks_nameTestsThatExist() throws IOException {
    Set<String> tests =
        Project.javaFiles().stream()
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toSet());
    for (Snippet snippet : Snippet.all()) {
      String test = snippet.remark("run by");
      assertTrue(test == null || tests.contains(test), () -> snippet.place() + ": " + test);
    }
  }

  @Test
  void read_ofAPage_findsBlocksWithRemarksAndOutput() {
    List<Snippet> found =
        Snippet.read(
            "p",
            """
            <!-- given: int i -->
            ```java
            f(i);
            ```

            ```text
            1
            ```

            - item

              ```sh
              ls
              ```
            """
                .lines()
                .toList());

    assertEquals(
        List.of(
            new Snippet("p", 2, "java", "f(i);\n", "1\n", List.of("given: int i")),
            new Snippet("p", 12, "sh", "ls\n", null, List.of())),
        found);
  }
}
