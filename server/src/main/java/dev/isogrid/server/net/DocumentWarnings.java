package dev.isogrid.server.net;

import dev.isogrid.config.NamedCacheConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Tells operators which parts of a client's document change nothing here. */
public final class DocumentWarnings {
  private DocumentWarnings() {}

  /** Logs a warning that names all such attributes and elements of a document, if it has any. */
  public static void log(Logger log, String cache, NamedCacheConfig read) {
    if (!read.warnings().isEmpty()) {
      log.log(
          Level.WARNING,
          () ->
              "configuration of a client: cache=%s, %s"
                  .formatted(cache, String.join(", ", read.warnings())));
    }
  }
}
