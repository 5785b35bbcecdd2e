package dev.isogrid.types;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Classes of one version of a program: compiled in memory, in a class loader of their own. */
final class CompiledClasses extends ClassLoader {
  private final Map<String, ByteArrayOutputStream> bytes = new HashMap<>();

  /** Compiles sources that have a top-level class each, by its full name. */
  CompiledClasses(Map<String, String> sources) {
    super(CompiledClasses.class.getClassLoader());
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
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

  /** Calls the only public constructor of a class. */
  Object make(String name, Object... arguments) {
    try {
      Constructor<?> constructor = loadClass(name).getDeclaredConstructors()[0];
      constructor.setAccessible(true);
      return constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(e instanceof InvocationTargetException ? e.getCause() : e);
    }
  }

  /** A constant of an enum. */
  Object constant(String name, String constant) {
    try {
      for (Object each : loadClass(name).getEnumConstants()) {
        if (((Enum<?>) each).name().equals(constant)) {
          return each;
        }
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(e);
    }
    throw new IllegalArgumentException(constant);
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
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("mem:///" + name + ".class"), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes.computeIfAbsent(name, n -> new ByteArrayOutputStream());
        }
      };
    }
  }
}
