package dev.isogrid.client;

import dev.isogrid.api.Marshaller;
import java.util.Objects;

/**
 * The forms in which keys and values go to servers and come from them. Servers convert between them
 * and the form in which they keep a cache, if they can.
 *
 * @param keys makes keys bytes
 * @param values makes values bytes
 */
public record DataFormat(Marshaller<?> keys, Marshaller<?> values) {
  /** Checks that both are there. */
  public DataFormat {
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(values, "values");
  }

  /** One form for both. */
  public static DataFormat of(Marshaller<?> both) {
    Objects.requireNonNull(both, "both");
    return new DataFormat(both, both);
  }
}
