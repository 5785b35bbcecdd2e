package dev.isogrid.verify.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.verify.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;
import org.junit.jupiter.api.Test;

/** The published libraries have stable names on the module path, and no package in common. */
class ModuleNamesTest {
  private static final Pattern ARTIFACT =
      Pattern.compile("<artifactId>isogrid-(?!bom<)([^<]+)</artifactId>");
  private static final Pattern NAME = Pattern.compile("<module.name>([^<]+)</module.name>");

  private static List<String> published() throws IOException {
    return ARTIFACT
        .matcher(Files.readString(Project.root().resolve("bom/pom.xml")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  @Test
  void publishedModules_haveNamesOfTheirOwn() throws IOException {
    Map<String, String> moduleByName = new TreeMap<>();
    for (String module : published()) {
      String pom = Files.readString(Project.root().resolve(module).resolve("pom.xml"));
      Matcher name = NAME.matcher(pom);
      assertTrue(name.find(), () -> "no module.name: " + module);
      assertTrue(SourceVersion.isName(name.group(1)), name::group);
      assertEquals(null, moduleByName.put(name.group(1), module), name::group);
      Path info = Project.root().resolve(module).resolve("src/main/java/module-info.java");
      if (Files.exists(info)) {
        assertTrue(
            Files.readString(info).contains("\nmodule %s {".formatted(name.group(1))), name::group);
      }
    }
    assertFalse(moduleByName.isEmpty());
    String parent = Files.readString(Project.root().resolve("pom.xml"));
    assertTrue(
        parent.contains("<Automatic-Module-Name>${module.name}</Automatic-Module-Name>"),
        "the jars have no module name");
  }

  @Test
  void packages_areInOneModuleEach() throws IOException {
    Map<String, String> moduleByPackage = new TreeMap<>();
    for (String module : published()) {
      Path sources = Project.root().resolve(module).resolve("src/main/java");
      if (!Files.isDirectory(sources)) {
        continue;
      }
      try (var files = Files.walk(sources)) {
        files
            .filter(file -> file.getFileName().toString().equals("package-info.java"))
            .map(file -> sources.relativize(file.getParent()).toString())
            .forEach(each -> assertEquals(null, moduleByPackage.put(each, module), each));
      }
    }
    assertTrue(moduleByPackage.size() > published().size());
  }

  @Test
  void pattern_findsArtifacts_butNotTheListItself() {
    assertEquals(
        List.of("a"),
        ARTIFACT
            .matcher("<artifactId>isogrid-bom</artifactId> <artifactId>isogrid-a</artifactId>")
            .results()
            .map((MatchResult found) -> found.group(1))
            .toList());
  }
}
