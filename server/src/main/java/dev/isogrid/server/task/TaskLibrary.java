package dev.isogrid.server.task;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.ServerTask;
import dev.isogrid.wire.HotRod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a server, its own and those of the jars in a folder, and the jars' factories of
 * filters and converters. The jars are read once, when the server starts. Thread-safe; closed after
 * all tasks have ended.
 */
public final class TaskLibrary implements AutoCloseable {
  private static final int NAME_LENGTH_MAX = 255;

  /** The most jars; more suggest a wrong folder. */
  private static final int JARS_MAX = 1000;

  /** Factories that no jar can replace, since clients rely on them. */
  private static final Set<String> OWN_CONVERTERS =
      Set.of(HotRod.KEY_VALUE_VERSION_CONVERTER, HotRod.KEY_VALUE_PREVIOUS_CONVERTER);

  private static final Logger log = System.getLogger(TaskLibrary.class.getName());

  private final URLClassLoader loader;
  private final Map<String, ServerTask<?>> tasks;
  private final ListenerFactories listeners;

  private TaskLibrary(
      URLClassLoader loader, Map<String, ServerTask<?>> tasks, ListenerFactories listeners) {
    this.loader = loader;
    this.tasks = Map.copyOf(tasks);
    this.listeners = listeners;
  }

  /**
   * Reads the tasks.
   *
   * @param folder of the jars, or null if there is none
   * @throws InvalidRequestException if a jar can't be read, or a task in it is wrong
   */
  public static TaskLibrary open(@Nullable Path folder) {
    List<Path> jars = folder == null ? List.of() : jars(folder);
    URL[] urls = jars.stream().map(TaskLibrary::url).toArray(URL[]::new);
    URLClassLoader loader =
        new URLClassLoader("isogrid-tasks", urls, TaskLibrary.class.getClassLoader());
    try {
      Map<String, ServerTask<?>> tasks = new TreeMap<>();
      for (ServerTask<?> task : ServiceLoader.load(ServerTask.class, loader)) {
        add(task, tasks);
      }
      log.log(
          Level.DEBUG, () -> "tasks=%s, folder=%s, jars=%s".formatted(tasks, folder, jars.size()));
      ListenerFactories listeners = ListenerFactories.load(loader, OWN_CONVERTERS);
      return new TaskLibrary(loader, tasks, listeners);
    } catch (ServiceConfigurationError | LinkageError | RuntimeException wrong) {
      closeLoader(loader);
      throw new InvalidRequestException(
          "tasks can't be loaded: folder=%s, %s; mend or take away the jar"
              .formatted(folder, wrong.getMessage()),
          wrong);
    }
  }

  private static List<Path> jars(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> jars =
          files
              .filter(file -> file.getFileName().toString().endsWith(".jar"))
              .sorted()
              .limit(JARS_MAX + 1L)
              .toList();
      if (jars.size() > JARS_MAX) {
        throw new InvalidRequestException(
            "too many jars of tasks: folder=%s, max=%d".formatted(folder, JARS_MAX));
      }
      return jars;
    } catch (IOException | UncheckedIOException e) {
      throw new InvalidRequestException(
          "folder of tasks can't be read: folder=%s, %s; give one that there is"
              .formatted(folder, e),
          e);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new InvalidRequestException("jar of tasks has no URL: path=" + jar, e);
    }
  }

  private static void add(ServerTask<?> task, Map<String, ServerTask<?>> tasks) {
    String type = task.getClass().getName();
    String name = task.name();
    if (name.isEmpty() || name.length() > NAME_LENGTH_MAX || name.startsWith("@@")) {
      throw new InvalidRequestException(
          "task has no good name: class=%s, name=%s, lengthMax=%d, not beginning with @@"
              .formatted(type, name, NAME_LENGTH_MAX));
    }
    ServerTask<?> other = tasks.putIfAbsent(name, task);
    if (other != null) {
      throw new InvalidRequestException(
          "two tasks of one name: name=%s, classes=%s, %s"
              .formatted(name, other.getClass().getName(), type));
    }
  }

  /** The task of a name, or null if there is none. */
  @Nullable ServerTask<?> find(String name) {
    return tasks.get(name);
  }

  /** All tasks by their names, sorted. */
  public Map<String, ServerTask<?>> all() {
    return new TreeMap<>(tasks);
  }

  /** The factories for listeners of clients. */
  ListenerFactories listeners() {
    return listeners;
  }

  /** Finds the classes of the jars, and the server's. */
  public ClassLoader loader() {
    return loader;
  }

  @Override
  public void close() {
    closeLoader(loader);
  }

  private static void closeLoader(URLClassLoader loader) {
    try {
      loader.close();
    } catch (IOException e) {
      log.log(Level.WARNING, "jars of tasks can't be closed", e);
    }
  }
}
