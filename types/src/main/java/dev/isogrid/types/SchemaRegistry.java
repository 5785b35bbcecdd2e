package dev.isogrid.types;

import dev.isogrid.api.GridException;
import org.jspecify.annotations.Nullable;

/**
 * Where the schemas of types are kept, by file name: a cluster's, a server's, or one in memory.
 * Thread-safe. Both methods may block, for a call over the network at most.
 */
public interface SchemaRegistry {
  /**
   * The newest text of a file; null if there is none.
   *
   * @throws GridException if it can't be read
   */
  @Nullable String schema(String file);

  /**
   * Writes a file if it still is what the caller has read.
   *
   * @param expected the text that the caller has read; null if there was none
   * @return false if it has another text by now; nothing was written then
   * @throws GridException if the schema is refused, the caller may not write it, or the registry
   *     can't be reached
   */
  boolean replace(String file, @Nullable String expected, String text);
}
