package dev.isogrid.server.task;

import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client wants.
 *
 * @param task the task's name
 * @param cache the name of the cache that it is about, or null
 * @param parameters texts, boxed primitives and arrays of bytes by name
 */
public record TaskCall(String task, @Nullable String cache, Map<String, Object> parameters)
    implements Serializable {
  /** Copies the parameters. */
  public TaskCall {
    parameters = Map.copyOf(parameters);
  }
}
