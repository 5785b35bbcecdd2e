package dev.isogrid.testkit;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Classes of one version of a program: compiled in memory, in a class loader of their own. */
public final class CompiledClasses extends ClassLoader {
  private final Map<String, ByteArrayOutputStream> bytes = new HashMap<>();

  /** Compiles sources that have a top-level class each, by its full name. */
  public CompiledClasses(Map<String, String> sources) {
    super(CompiledClasses.class.getClassLoader());
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    List<JavaFileObject> files = new ArrayList<>();
    sources.forEach((name, text) -> files.add(new Source(name, text)));
    List<String> problems = new ArrayList<>();
    boolean isCompiled =
        compiler
            .getTask(
                null,
                new InMemory(compiler.getStandardFileManager(null, null, null)),
                problem -> problems.add(problem.toString()),
                List.of("-proc:none"),
                null,
                files)
            .call();
    if (!isCompiled) {
      throw new IllegalArgumentException(problems.toString());
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    ByteArrayOutputStream code = bytes.get(name);
    if (code == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, code.toByteArray(), 0, code.size());
  }

  /** Calls the only constructor of a class. */
  public Object make(String name, @Nullable Object... arguments) {
    try {
      Constructor<?> constructor = loadClass(name).getDeclaredConstructors()[0];
      constructor.setAccessible(true);
      return constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("class can't be used: name=" + name, e);
    }
  }

  /** A constant of an enum. */
  public Object constant(String name, String constant) {
    try {
      for (Object each : Objects.requireNonNull(loadClass(name).getEnumConstants())) {
        if (((Enum<?>) each).name().equals(constant)) {
          return each;
        }
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("class not found: name=" + name, e);
    }
    throw new IllegalArgumentException("no such constant: enum=" + name + ", name=" + constant);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
    InMemory(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, @Nullable FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("mem:///" + name + ".class"), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes.computeIfAbsent(name, _ -> new ByteArrayOutputStream());
        }
      };
    }
  }
}
