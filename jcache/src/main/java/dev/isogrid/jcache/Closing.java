package dev.isogrid.jcache;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** Closes the objects that users gave to a cache, when the cache is closed. */
final class Closing {
  private static final Logger log = System.getLogger(Closing.class.getName());

  private Closing() {}

  /** Closes an object that can be; a failure is logged, since the cache is closed all the same. */
  static void close(@Nullable Object object) {
    if (object instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        log.log(Level.WARNING, "cannot close " + object, e);
      }
    }
  }
}
