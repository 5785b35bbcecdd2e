package dev.isogrid.api;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Code that is deployed in servers, and that clients run by its name, over Hot Rod and REST. A
 * server finds it in the jars of its folder of tasks by {@link java.util.ServiceLoader}: the jar
 * lists the class in {@code META-INF/services/dev.isogrid.api.ServerTask}; it is public, with a
 * public constructor without parameters.
 *
 * <p>One object serves all runs, several at a time. It acts with the rights of the server: it may
 * read and change everything, no matter which user runs it.
 *
 * @param <T> the type of the result: a text, a number, a truth value or an array of bytes, or null;
 *     or a map, a collection or an array of these, which clients get as JSON
 */
public interface ServerTask<T extends @Nullable Object> {
  /** Where a task runs. */
  enum Where {
    /** On the server that the client asks. */
    ONE_NODE,
    /**
     * On all servers at once, each of which must have the task; the result is the list of their
     * results, in no order. It must be {@link java.io.Serializable}.
     */
    ALL_NODES
  }

  /** The inputs of one run. For the run's thread. */
  interface Context {
    /** The server's grid. Not to be closed. */
    Grid grid();

    /**
     * The cache that the client named, or null if it named none; with keys and values in their
     * stored form.
     */
    @Nullable Cache<?, ?> cache();

    /** The parameters of the client, by name: texts, numbers, truth values, or arrays of bytes. */
    Map<String, Object> parameters();

    /**
     * A parameter as text.
     *
     * @throws InvalidRequestException if there is none
     */
    default String parameter(String name) {
      Object value = parameters().get(name);
      if (value == null) {
        throw new InvalidRequestException("missing parameter: name=" + name + "; add it");
      }
      return String.valueOf(value);
    }
  }

  /** The name by which clients run it: 1 to 255 characters, not beginning with {@code @@}. */
  String name();

  /**
   * Runs once. The thread is interrupted when it takes too long, an hour, or the server stops.
   *
   * @throws Exception which is reported to the client
   */
  T run(Context context) throws Exception;

  /** The servers on which it runs. */
  default Where where() {
    return Where.ONE_NODE;
  }

  /**
   * The role that a client must have to run it, besides the permission to run tasks. Has no effect
   * on a server without log-in, or without roles.
   *
   * @return empty, the default, for every user who may run tasks
   */
  default Optional<String> allowedRole() {
    return Optional.empty();
  }

  /** The names of the parameters that it knows, for listings. */
  default Set<String> parameterNames() {
    return Set.of();
  }
}
