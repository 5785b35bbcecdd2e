package dev.isogrid.dist;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Writes the list of the libraries in an archive with their licences, and copies the texts of
 * licences and notices that these libraries contain. The same libraries give the same files.
 */
public final class ThirdParty {
  /** Where jars keep the texts. */
  private static final Pattern TEXT =
      Pattern.compile("(META-INF/)?(LICEN[CS]E|NOTICE|COPYING)[^/]*", Pattern.CASE_INSENSITIVE);

  private static final Pattern TEXT_FOLDER =
      Pattern.compile(
          "META-INF/(licen[cs]es?/|resources/webjars/[^/]+/[^/]+/LICEN[CS]E)[^/]*",
          Pattern.CASE_INSENSITIVE);

  private static final String OWN_GROUP = "dev.isogrid";

  private static final String HEAD =
      """
      # Libraries

      Isogrid is under the Apache License 2.0, as `LICENSE` says. These are the libraries in `lib/`.
      `isogrid.cdx.json` lists them with their checksums in the format of CycloneDX. The folders
      here hold the texts of licences and notices that the libraries contain.

      | library | version | licence | texts |
      |---|---|---|---|
      """;

  private ThirdParty() {}

  private record Library(String group, String name, String version, List<String> licences) {}

  /**
   * Writes the list {@code README.md} and the texts.
   *
   * @param args the list of CycloneDX in XML, the folder of jars, and the folder to write to
   */
  public static void main(String[] args)
      throws IOException, ParserConfigurationException, SAXException {
    write(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]));
  }

  static void write(Path list, Path jars, Path target)
      throws IOException, ParserConfigurationException, SAXException {
    StringBuilder table = new StringBuilder(HEAD);
    for (Library library : libraries(list)) {
      if (library.licences().isEmpty()) {
        throw new IOException(
            "no licence is known: library=%s, version=%s; name it in the pom of the archive"
                .formatted(library.name(), library.version()));
      }
      int texts = copyTexts(library, jars, target);
      table.append(
          "| `%s:%s` | %s | %s | %s |\n"
              .formatted(
                  library.group(),
                  library.name(),
                  library.version(),
                  String.join(", ", library.licences()),
                  texts == 0 ? "" : "[" + texts + "](" + library.name() + ")"));
    }
    Files.writeString(target.resolve("README.md"), table);
  }

  /** The libraries of others, sorted by group and name. */
  private static List<Library> libraries(Path list)
      throws IOException, ParserConfigurationException, SAXException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    factory.setNamespaceAware(true);
    List<Library> libraries = new ArrayList<>();
    try (InputStream in = Files.newInputStream(list)) {
      Element root = factory.newDocumentBuilder().parse(in).getDocumentElement();
      for (Element all : children(root, "components")) {
        children(all, "component").stream()
            .map(ThirdParty::library)
            .filter(library -> !library.group().equals(OWN_GROUP))
            .forEach(libraries::add);
      }
    }
    // A library with jars for several processors is there several times.
    return libraries.stream()
        .distinct()
        .sorted(Comparator.comparing(Library::group).thenComparing(Library::name))
        .toList();
  }

  private static Library library(Element component) {
    List<String> licences = new ArrayList<>();
    for (Element all : children(component, "licenses")) {
      children(all, "expression").forEach(text -> licences.add(text.getTextContent().strip()));
      for (Element licence : children(all, "license")) {
        String id = text(licence, "id");
        licences.add(id.isEmpty() ? text(licence, "name") : id);
      }
    }
    return new Library(
        text(component, "group"), text(component, "name"), text(component, "version"), licences);
  }

  /** Copies the texts of a library, and returns how many there are. */
  private static int copyTexts(Library library, Path jars, Path target) throws IOException {
    int count = 0;
    String pattern = library.name() + "-" + library.version() + "*.jar";
    try (DirectoryStream<Path> found = Files.newDirectoryStream(jars, pattern)) {
      for (Path path : found) {
        try (JarFile jar = new JarFile(path.toFile(), false)) {
          for (ZipEntry entry : jar.stream().filter(ThirdParty::isText).toList()) {
            String name = entry.getName().replace("META-INF/", "").replace('/', '-');
            Path copy = target.resolve(library.name()).resolve(name);
            Files.createDirectories(target.resolve(library.name()));
            count += Files.exists(copy) ? 0 : 1;
            Files.write(copy, jar.getInputStream(entry).readAllBytes());
          }
        }
      }
    }
    return count;
  }

  private static boolean isText(ZipEntry entry) {
    String name = entry.getName();
    return !entry.isDirectory()
        && (TEXT.matcher(name).matches() || TEXT_FOLDER.matcher(name).matches());
  }

  private static String text(Element parent, String name) {
    List<Element> found = children(parent, name);
    return found.isEmpty() ? "" : found.getFirst().getTextContent().strip();
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    NodeList nodes = parent.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element element && name.equals(element.getLocalName())) {
        found.add(element);
      }
    }
    return found;
  }
}
