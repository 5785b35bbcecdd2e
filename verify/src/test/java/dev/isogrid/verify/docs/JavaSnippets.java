package dev.isogrid.verify.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles and runs the Java code of the documentation. */
final class JavaSnippets implements AutoCloseable {
  private static final Pattern PUBLIC_CLASS =
      Pattern.compile("^public (?:final )?class (\\w+)", Pattern.MULTILINE);
  private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

  /** One for all: it keeps the jars of the class path open, which is the slowest part. */
  private final StandardJavaFileManager files =
      compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);

  private final Path folder;

  /** Writes sources and classes to a folder. */
  JavaSnippets(Path folder) {
    this.folder = folder;
  }

  /** Compiles code, and runs it if it is a program; returns its output. */
  String run(Snippet snippet, String text) throws IOException, ReflectiveOperationException {
    Matcher name = PUBLIC_CLASS.matcher(text);
    if (!name.find()) {
      compile(snippet, "Fragment", fragment(snippet, text));
      return "";
    }
    Path classes = compile(snippet, name.group(1), text);
    if (!text.contains("static void main(")) {
      return "";
    }
    Matcher inPackage = PACKAGE.matcher(text);
    return main(classes, (inPackage.find() ? inPackage.group(1) + "." : "") + name.group(1));
  }

  /** A class with the code in a method, whose parameters come from a remark. */
  private static String fragment(Snippet snippet, String text) {
    String given = snippet.remark("given");
    assertNotNull(given, () -> "neither a class nor a remark `given`: " + snippet.place());
    StringBuilder source = new StringBuilder();
    String imports = snippet.remark("import");
    if (imports != null) {
      for (String each : imports.split(", *", -1)) {
        source.append("import ").append(each).append(";\n");
      }
    }
    return source
        .append("class Fragment {\n  void run(" + given + ") throws Exception {\n")
        .append(text)
        .append("  }\n}\n")
        .toString();
  }

  private Path compile(Snippet snippet, String name, String text) throws IOException {
    Path sources = Files.createTempDirectory(folder, "snippet");
    Path classes = Files.createDirectory(sources.resolve("classes"));
    Path source = Files.writeString(sources.resolve(name + ".java"), text);
    StringWriter problems = new StringWriter();
    List<String> options = List.of("-proc:none", "-implicit:none", "-d", classes.toString());
    files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
    boolean compiled =
        compiler
            .getTask(problems, files, null, options, null, files.getJavaFileObjects(source))
            .call();
    assertEquals(true, compiled, () -> snippet.place() + "\n" + problems);
    return classes;
  }

  private static String main(Path classes, String name)
      throws IOException, ReflectiveOperationException {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Thread thread = Thread.currentThread();
    ClassLoader loader = thread.getContextClassLoader();
    try (URLClassLoader own = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      thread.setContextClassLoader(own);
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      own.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
      thread.setContextClassLoader(loader);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
