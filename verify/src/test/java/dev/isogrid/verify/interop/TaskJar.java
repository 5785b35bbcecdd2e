package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ServerTask;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A jar of classes in the package {@code deployed} that only the servers have. */
final class TaskJar {
  private TaskJar() {}

  /**
   * Compiles classes, and puts them into a jar.
   *
   * @param folder an empty one
   * @param sources the classes' texts by their simple names
   * @param services for each service the simple names of its classes
   * @return the folder of the jar
   */
  static Path deploy(Path folder, Map<String, String> sources, Map<Class<?>, List<String>> services)
      throws IOException {
    Path classes = compile(folder, sources);
    Path tasks = Files.createDirectories(folder.resolve("tasks"));
    try (JarOutputStream jar =
            new JarOutputStream(Files.newOutputStream(tasks.resolve("deployed.jar")));
        var compiled = Files.newDirectoryStream(classes.resolve("deployed"))) {
      for (Path each : compiled) {
        jar.putNextEntry(new JarEntry("deployed/" + each.getFileName()));
        jar.write(Files.readAllBytes(each));
      }
      for (var service : services.entrySet()) {
        jar.putNextEntry(new JarEntry("META-INF/services/" + service.getKey().getName()));
        for (String name : service.getValue()) {
          jar.write("deployed.%s\n".formatted(name).getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    return tasks;
  }

  private static Path compile(Path folder, Map<String, String> sources) throws IOException {
    Path texts = Files.createDirectories(folder.resolve("deployed"));
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<Path> paths = new ArrayList<>();
    for (var source : sources.entrySet()) {
      paths.add(Files.writeString(texts.resolve(source.getKey() + ".java"), source.getValue()));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    String api = ServerTask.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    StringWriter errors = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      boolean isDone =
          compiler
              .getTask(
                  errors,
                  files,
                  null,
                  List.of("-proc:none", "-cp", api, "-d", classes.toString()),
                  null,
                  files.getJavaFileObjectsFromPaths(paths))
              .call();
      assertTrue(isDone, errors::toString);
    }
    return classes;
  }
}
