package dev.isogrid.server.task;

import dev.isogrid.api.ServerTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** A task that only deployers may run. */
public final class GuardedTask implements ServerTask<String> {
  @Override
  public String name() {
    return "guarded";
  }

  @Override
  public Optional<String> allowedRole() {
    return Optional.of("deployer");
  }

  @Override
  public String run(Context context) {
    return "done";
  }

  /** Makes a folder of tasks with this one, beside the server's own. */
  public static Path deploy(Path parent) {
    return deploy(parent, GuardedTask.class);
  }

  /** Makes a folder of tasks with one. */
  public static Path deploy(Path parent, Class<? extends ServerTask<?>> task) {
    try {
      Path tasks = Files.createDirectories(parent.resolve("tasks"));
      try (JarOutputStream jar =
          new JarOutputStream(Files.newOutputStream(tasks.resolve("guarded.jar")))) {
        jar.putNextEntry(new JarEntry("META-INF/services/" + ServerTask.class.getName()));
        jar.write(task.getName().getBytes(StandardCharsets.UTF_8));
      }
      return tasks;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
