package dev.isogrid.verify.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A parsed Java file. */
final class JavaSource {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Shared: a separate file manager would search the class path for each source. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(_ -> {}, null, StandardCharsets.UTF_8);

  private static final List<String> PARSE_ONLY = List.of("-proc:none", "-classpath", "");

  private final String path;
  private final List<String> lines;
  private final CompilationUnitTree unit;
  private final SourcePositions positions;

  private JavaSource(
      String path, List<String> lines, CompilationUnitTree unit, SourcePositions positions) {
    this.path = path;
    this.lines = lines;
    this.unit = unit;
    this.positions = positions;
  }

  /** Reads the files at {@code paths}, in that order, and names them relative to {@code root}. */
  static List<JavaSource> read(Path root, List<Path> paths) {
    List<Text> texts = new ArrayList<>();
    try {
      for (Path path : paths) {
        String name = root.relativize(path).toString().replace('\\', '/');
        texts.add(new Text(name, Files.readString(path)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return parse(texts);
  }

  /** Parses {@code text}; {@code path}, such as {@code grid/src/main/java/A.java}, names it. */
  static JavaSource parse(String path, String text) {
    return parse(List.of(new Text(path, text))).getFirst();
  }

  /** One task parses all files: each task has large tables of its own, which the trees refer to. */
  private static List<JavaSource> parse(List<Text> texts) {
    var task = (JavacTask) COMPILER.getTask(null, FILES, _ -> {}, PARSE_ONLY, null, texts);
    try {
      List<JavaSource> sources = new ArrayList<>();
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      Iterator<Text> of = texts.iterator();
      for (CompilationUnitTree unit : task.parse()) {
        Text text = of.next();
        sources.add(new JavaSource(text.path, text.content.lines().toList(), unit, positions));
      }
      return sources;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text of a file in the compiler's form. */
  private static final class Text extends SimpleJavaFileObject {
    private final String path;
    private final String content;

    Text(String path, String content) {
      super(URI.create("string:///" + path), JavaFileObject.Kind.SOURCE);
      this.path = path;
      this.content = content;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return content;
    }
  }

  /** The path relative to the root of the project, with slashes. */
  String path() {
    return path;
  }

  String module() {
    return path.substring(0, path.indexOf('/'));
  }

  String fileName() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  String packageName() {
    return unit.getPackageName() == null ? "" : unit.getPackageName().toString();
  }

  /** Whether this is production code: neither a test nor a benchmark. */
  boolean isMain() {
    return path.contains("/src/main/") && !module().equals("bench");
  }

  boolean inPackage(String name) {
    return packageName().equals(name) || packageName().startsWith(name + ".");
  }

  List<String> lines() {
    return lines;
  }

  /** The text of line {@code number}, counted from 1. */
  String line(int number) {
    return lines.get(number - 1);
  }

  CompilationUnitTree unit() {
    return unit;
  }

  /** The line on which {@code tree} starts, counted from 1. */
  int firstLine(Tree tree) {
    return lineAt(positions.getStartPosition(unit, tree));
  }

  /** The line on which {@code tree} ends, counted from 1. */
  int lastLine(Tree tree) {
    return lineAt(positions.getEndPosition(unit, tree));
  }

  private int lineAt(long position) {
    LineMap map = unit.getLineMap();
    return (int) map.getLineNumber(position);
  }
}
