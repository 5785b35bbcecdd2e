package dev.isogrid.server;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The folder of a server's users. */
final class ConfFolder {
  private static final String NAME = "conf";

  private ConfFolder() {}

  /**
   * The folder for the options of a command line.
   *
   * @param conf {@code --conf}
   * @param data {@code --data}
   */
  static Path of(@Nullable String conf, @Nullable String data) {
    if (conf != null) {
      return Path.of(conf);
    }
    if (data != null) {
      return Path.of(data, NAME);
    }
    return Path.of(System.getProperty("isogrid.home", ""), NAME);
  }
}
