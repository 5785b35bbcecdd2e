package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.isogrid.verify.Project;
import dev.isogrid.verify.docs.GeneratedPage;
import dev.isogrid.verify.docs.Rows;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Makes the page of all attributes of a configuration. Its content is checked: the defaults and
 * values of caches by reading documents, and its completeness by the sources.
 */
class ConfigurationPageTest {
  private static final int PLACE = 0;
  private static final int DEFAULT = 3;
  private static final int OTHER = 4;
  private static final int COLUMNS = 6;

  /** A call that reads an attribute by its name. */
  private static final Pattern READ =
      Pattern.compile(
          "(?:\\.(?:flag|number|wholeNumber|timeMillis|sizeBytes|choice|text|name)\\(|words\\(\\w+,"
              + "|marshaller\\(\\w+,)\\s*\"([a-z0-9-]+)\"");

  private static final Pattern CONSTANT = Pattern.compile("String [A-Z_]+ = \"([a-z]+-?[a-z]*)\"");

  /** The attributes of databases, which are read in loops. */
  private static final Pattern LISTED =
      Pattern.compile("(?:CONNECTION|POOL_SIZES|TABLE_ATTRIBUTES) =\\s*List\\.of\\(([^;]*)\\);");

  private static final Pattern COPIED = Pattern.compile("copy\\(\\s*\\w+, \"([a-z-]+)\"");
  private static final Pattern QUOTED = Pattern.compile("\"([a-z-]+)\"");

  /** Two literals of one text in the sheet. */
  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+ \"");

  private static final Pattern ROW =
      Pattern.compile("\"(WARNED|REFUSED)\\s*\\|\\s*([^\"|]+?)\\s*(\\||\")");

  private static final String HEAD =
      """
      # Configuration attributes

      A test generates this page, and checks it with the reader of documents. After this page you
      know what each attribute of a configuration means. Documents are XML, JSON or YAML; the names
      are the same. `cache` stands for `local-cache`, `replicated-cache`, `distributed-cache` and
      `invalidation-cache`, and for the same with `-configuration`, which are templates. A cache is
      a child of `cache-container`; `cache-container`, `jgroups` and `server` are children of
      `infinispan`.

      A time is a number of milliseconds, or has a unit: `500ms`, `30s`, `10m`, `1h`, `1d`. A size
      is a number of bytes, or has a unit: `500KB`, `5MB`, `1GB` are powers of 1,000, `5MiB` one of
      1,024. `${name:default}` is replaced by a property of the JVM or an environment variable.

      """;

  private static final String SHEET =
      """

      ## What else Infinispan has

      Documents of Infinispan are read too. An attribute or element that changes nothing here is
      named by a warning in the log. One that would change the grid's behaviour is refused.
      The documents of the test `ConfigurationSheetTest` are the source of these lists. Stores
      (`file-store` and others) are children of `persistence`.

      """;

  private static List<List<String>> rows() throws IOException {
    List<List<String>> rows = Rows.of("configuration.txt");
    rows.forEach(row -> assertEquals(COLUMNS, row.size(), row::toString));
    return rows;
  }

  private static String document(String place, String value) {
    String path = place.substring(0, place.indexOf('@'));
    String attribute = place.substring(place.indexOf('@') + 1) + "='" + value + "'";
    List<String> names = new ArrayList<>(Arrays.asList(path.split("/", -1)));
    names.set(0, "distributed-cache");
    String text = "<" + names.removeLast() + " " + attribute + "/>";
    while (!names.isEmpty()) {
      String name = names.removeLast();
      text = "<" + name + ">" + text + "</" + name + ">";
    }
    return text;
  }

  private static Object read(String document) {
    NamedCacheConfig read = CacheDocument.read(document, null, ReadContext.empty().withFolders());
    return List.of(read.config(), read.aliases());
  }

  @Test
  void defaults_ofCaches_areWhatHoldsWithoutTheAttribute() throws IOException {
    Object plain = read("<distributed-cache/>");
    Object stored =
        read("<distributed-cache><persistence><file-store/></persistence></distributed-cache>");
    Object outside =
        read("<distributed-cache><persistence><jdbc-store/></persistence></distributed-cache>");
    for (List<String> row : rows()) {
      String place = row.get(PLACE);
      Object inStore = place.contains("jdbc-store") ? outside : stored;
      Object without = place.startsWith("cache/persistence/") ? inStore : plain;
      if (place.startsWith("cache@") || place.startsWith("cache/")) {
        if (!row.get(DEFAULT).isEmpty()) {
          assertEquals(without, read(document(place, row.get(DEFAULT))), place);
        }
        if (!row.get(OTHER).isEmpty()) {
          assertNotEquals(without, read(document(place, row.get(OTHER))), place);
        }
      }
    }
  }

  @Test
  void attributes_thatAreRead_areAllOnThePage() throws IOException {
    TreeSet<String> inSources = new TreeSet<>();
    Path folder = Project.root().resolve("grid/src/main/java/dev/isogrid/config");
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.java")) {
      for (Path file : files) {
        String source = Files.readString(file);
        READ.matcher(source).results().map(found -> found.group(1)).forEach(inSources::add);
        if (file.endsWith("MemoryElement.java")) {
          CONSTANT.matcher(source).results().map(found -> found.group(1)).forEach(inSources::add);
        }
        COPIED.matcher(source).results().map(found -> found.group(1)).forEach(inSources::add);
        LISTED.matcher(source).results().forEach(list -> addQuoted(list.group(1), inSources));
      }
    }
    inSources.remove("memory"); // the element itself
    TreeSet<String> onPage = new TreeSet<>();
    for (List<String> row : rows()) {
      onPage.add(row.get(PLACE).substring(row.get(PLACE).indexOf('@') + 1));
    }
    assertEquals(inSources, onPage);
  }

  private static void addQuoted(String list, Set<String> names) {
    QUOTED.matcher(list).results().map(found -> found.group(1)).forEach(names::add);
  }

  /** The documents of a verdict in the sheet, each as code. */
  private static String documents(String sheet, String verdict) {
    StringBuilder list = new StringBuilder();
    String joined = JOINED.matcher(sheet).replaceAll("");
    for (MatchResult found : ROW.matcher(joined).results().toList()) {
      if (found.group(1).equals(verdict)) {
        list.append("- `").append(found.group(2)).append("`\n");
      }
    }
    return list.toString();
  }

  @Test
  void page_ofTheConfiguration_isAsTheCodeHasIt() throws IOException {
    List<List<String>> table = new ArrayList<>();
    table.add(List.of("attribute", "type", "unit", "default", "meaning"));
    for (List<String> row : rows()) {
      String given = row.get(DEFAULT).isEmpty() ? "" : "`" + row.get(DEFAULT) + "`";
      table.add(List.of("`" + row.get(PLACE) + "`", row.get(1), row.get(2), given, row.get(5)));
    }
    String sheet =
        Files.readString(
            Project.root()
                .resolve("grid/src/test/java/dev/isogrid/config/ConfigurationSheetTest.java"));
    String page =
        HEAD
            + GeneratedPage.table(table)
            + SHEET
            + "### Accepted with a warning\n\n"
            + documents(sheet, "WARNED")
            + "\n### Refused\n\n"
            + documents(sheet, "REFUSED");
    GeneratedPage.assertCurrent(
        "docs/reference/configuration.md", ConfigurationPageTest.class, page);
  }
}
