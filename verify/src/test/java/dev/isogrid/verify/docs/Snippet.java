package dev.isogrid.verify.docs;

import dev.isogrid.verify.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A block of code in the documentation.
 *
 * @param page the path from the root of the project
 * @param line of the block's first line, from 1
 * @param language of the block; empty for none
 * @param text of the block
 * @param output the following block of text: the expected output; null for none
 * @param remarks comments right before the block, as {@code name: value}; no reader sees them
 */
record Snippet(
    String page,
    int line,
    String language,
    String text,
    @Nullable String output,
    List<String> remarks) {
  private static final Pattern FENCE = Pattern.compile("( *)```(\\w*)");
  private static final Pattern REMARK = Pattern.compile(" *<!-- (.*) -->");

  /** The pages that are not in docs. */
  static List<Path> outsideOfDocs() {
    return Stream.of("README.md", "examples/README.md", "dist/README.md")
        .map(page -> Project.root().resolve(page))
        .toList();
  }

  /** All snippets of the READMEs and of the pages in docs, without those of decisions. */
  static List<Snippet> all() throws IOException {
    List<Snippet> all = new ArrayList<>();
    for (Path page : pages()) {
      all.addAll(read(Project.root().relativize(page).toString(), Files.readAllLines(page)));
    }
    return all;
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(outsideOfDocs());
    for (String folder : List.of("docs", "docs/reference")) {
      try (Stream<Path> files = Files.list(Project.root().resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages;
  }

  /** The snippets of one page. */
  static List<Snippet> read(String page, List<String> lines) {
    List<Snippet> found = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    boolean mayBeOutput = false;
    for (int i = 0; i < lines.size(); i++) {
      Matcher fence = FENCE.matcher(lines.get(i));
      Matcher remark = REMARK.matcher(lines.get(i));
      if (remark.matches()) {
        remarks.add(remark.group(1));
      } else if (fence.matches()) {
        int first = i + 1;
        StringBuilder text = new StringBuilder();
        for (i = first; !lines.get(i).strip().equals("```"); i++) {
          String line = lines.get(i);
          text.append(line.startsWith(fence.group(1)) ? line.substring(fence.end(1)) : line);
          text.append('\n');
        }
        if (fence.group(2).equals("text") && mayBeOutput) {
          Snippet code = found.removeLast();
          found.add(code.printing(text.toString()));
        } else {
          found.add(
              new Snippet(
                  page, first, fence.group(2), text.toString(), null, List.copyOf(remarks)));
          remarks.clear();
        }
        mayBeOutput = true;
      } else if (!lines.get(i).isBlank()) {
        mayBeOutput = false;
        remarks.clear();
      }
    }
    return found;
  }

  private Snippet printing(String text) {
    return new Snippet(page, line, language, this.text, text, remarks);
  }

  /** The value of a remark, or null. */
  @Nullable String remark(String name) {
    return remarks.stream()
        .filter(remark -> remark.startsWith(name + ": "))
        .map(remark -> remark.substring(name.length() + 2))
        .findFirst()
        .orElse(null);
  }

  /** The page and line. */
  String place() {
    return page + ":" + line;
  }
}
