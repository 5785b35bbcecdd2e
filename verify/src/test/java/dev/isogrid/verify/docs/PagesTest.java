package dev.isogrid.verify.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.verify.Project;
import dev.isogrid.verify.tidy.Prose;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the links of the documentation, and its English as far as patterns can. */
class PagesTest {
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```");

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String name :
        List.of(
            "README.md", "SECURITY.md", "CHANGELOG.md", "examples/README.md", "dist/README.md")) {
      pages.add(Project.root().resolve(name));
    }
    try (Stream<Path> files = Files.walk(Project.root().resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  /** The anchors of the headings. */
  private static Set<String> anchors(String page) {
    return HEADING
        .matcher(CODE.matcher(page).replaceAll(""))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  @Test
  void sentences_areReadOnce() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path page : pages()) {
      String name = page.getFileName().toString();
      boolean isDecision = page.toString().contains("decisions");
      if (isDecision || name.equals("CHANGELOG.md")) {
        continue;
      }
      for (String line : Files.readAllLines(page)) {
        String problem = Prose.problem(line.strip());
        if (problem != null) {
          found.add(Project.root().relativize(page) + ": " + problem + ": " + line);
        }
      }
    }
    assertEquals(List.of(), found);
  }

  @Test
  void links_leadToFilesAndHeadings() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      String text = CODE.matcher(Files.readString(page)).replaceAll("");
      for (MatchResult link : LINK.matcher(text).results().toList()) {
        String target = link.group(1);
        if (target.startsWith("http")) {
          continue;
        }
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
        boolean isThere =
            Files.exists(file)
                && (hash < 0
                    || anchors(Files.readString(file)).contains(target.substring(hash + 1)));
        if (!isThere) {
          broken.add(Project.root().relativize(page) + ": " + target);
        }
      }
    }
    assertEquals(List.of(), broken);
  }
}
