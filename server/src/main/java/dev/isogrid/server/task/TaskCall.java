package dev.isogrid.server.task;

import dev.isogrid.server.security.VouchedCaller;
import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client wants.
 *
 * @param task the task's name
 * @param cache the name of the cache that it is about, or null
 * @param parameters texts, boxed primitives and arrays of bytes by name
 * @param caller the client, as the server says that it logged in at; null if nobody has to
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
