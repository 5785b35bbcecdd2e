package dev.isogrid.server.task;

import dev.isogrid.server.security.VouchedCaller;
import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client's request to run a task.
 *
 * @param task the task's name
 * @param cache the name of its cache, or null
 * @param parameters texts, boxed primitives and arrays of bytes by name
 * @param caller the client, as the server of its login vouches for it; null if the server has no
 *     logins
 */
public record TaskCall(
    String task,
    @Nullable String cache,
    Map<String, Object> parameters,
    @Nullable VouchedCaller caller)
    implements Serializable {
  /** Copies the parameters. */
  public TaskCall {
    parameters = Map.copyOf(parameters);
  }
}
