package dev.isogrid.server.net;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridException;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.MutableAttributes;
import dev.isogrid.config.MutableAttributes.Difference;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Applies the caches of a server's configuration file to the cluster. Thread-safe; blocks. */
public final class ConfiguredCaches {
  /*
   * The cluster's cache and the file can differ for two reasons: somebody changed the file, or a
   * client changed an attribute of the cache. The settings of the cluster have a digest of the
   * document that was applied last. If the file still has that document, the cluster's values hold.
   * Otherwise the attributes that can change while the cache exists get the values of the file.
   */
  private static final System.Logger log = System.getLogger(ConfiguredCaches.class.getName());

  private final CacheCatalog catalog;
  private final SharedSettings settings;

  ConfiguredCaches(CacheCatalog catalog, SharedSettings settings) {
    this.catalog = catalog;
    this.settings = settings;
  }

  /**
   * Creates a cache, or changes the cluster's cache of that name if the file has changed. Logs what
   * was changed, and the attributes that can't be changed, each in a line with both values.
   *
   * @return the logged lines
   */
  public List<String> apply(String name, CacheConfig wanted) {
    boolean isCreated = catalog.getOrCreateVolatile(name, wanted);
    String digest = digest(name, wanted);
    boolean isChanged = !digest.equals(settings.configured(name));
    CacheConfig present = catalog.config(name);
    List<String> lines = new ArrayList<>();
    try {
      if (!isCreated && present != null && !present.equals(wanted)) {
        if (isChanged) {
          catalog.updateTo(name, MutableAttributes.withThoseOf(present, wanted));
        }
        MutableAttributes.differences(present, wanted)
            .forEach(difference -> lines.add(logged(name, difference, isChanged)));
      }
      if (isChanged) {
        settings.configured(name, digest);
      }
    } catch (GridException failure) {
      log.log(
          Level.WARNING,
          () ->
              "configuration file not applied to the cluster's cache: cache=%s, reason=%s"
                  .formatted(name, failure.getMessage()));
    }
    return lines;
  }

  private static String logged(String cache, Difference difference, boolean isChanged) {
    String what =
        difference.isMutable() && isChanged
            ? "cluster's cache changed to the configuration file"
            : "cluster's cache differs from the configuration file, and holds";
    String line =
        "%s: cache=%s, attribute=%s, cluster=%s, file=%s"
            .formatted(what, cache, difference.name(), difference.before(), difference.after());
    log.log(difference.isMutable() ? Level.INFO : Level.WARNING, line);
    return line;
  }

  private static String digest(String name, CacheConfig config) {
    String document = CacheDocument.write(name, config, DocumentFormat.JSON);
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(document.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("each JDK has SHA-256", impossible);
    }
  }
}
