package dev.isogrid.config;

import dev.isogrid.api.CacheConfig;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The permitted references and settings of a document.
 *
 * @param properties the values for <code>${name}</code>
 * @param templates configurations that caches may inherit from by their names, beside those of
 *     {@link CacheTemplates} and those that the document itself defines
 * @param allowsObjects whether a cache may say {@code <memory storage="HEAP_OBJECT"/>} to keep
 *     references to objects, which only an embedded one can
 * @param allowsFolders whether the store of a cache may name an absolute path, which only those can
 *     who may write files on this machine anyway
 * @param includeFolder the folder of a document in XML that may include other files by {@code
 *     xi:include}; null if it may not
 */
public record ReadContext(
    PropertyLookup properties,
    Map<String, CacheConfig> templates,
    boolean allowsObjects,
    boolean allowsFolders,
    @Nullable Path includeFolder) {
  /** Copies the map. */
  public ReadContext {
    templates = Map.copyOf(templates);
  }

  /** No references: for foreign documents. */
  public static ReadContext empty() {
    return new ReadContext(PropertyLookup.none(), Map.of(), false, false, null);
  }

  /** System properties and environment variables: for files of the process's owner. */
  public static ReadContext process() {
    return new ReadContext(PropertyLookup.process(), Map.of(), false, true, null);
  }

  /** This context with other properties. */
  public ReadContext withProperties(PropertyLookup properties) {
    return new ReadContext(properties, templates, allowsObjects, allowsFolders, includeFolder);
  }

  /** This context with other templates. */
  public ReadContext withTemplates(Map<String, CacheConfig> templates) {
    return new ReadContext(properties, templates, allowsObjects, allowsFolders, includeFolder);
  }

  /** This context for the documents of an embedded grid, whose caches may keep objects. */
  public ReadContext withObjects() {
    return new ReadContext(properties, templates, true, allowsFolders, includeFolder);
  }

  /** This context for documents of the process or an operator: stores may be anywhere. */
  public ReadContext withFolders() {
    return new ReadContext(properties, templates, allowsObjects, true, includeFolder);
  }

  /** This context for a file of an operator, which may include files of this machine. */
  public ReadContext withIncludes(Path folder) {
    return new ReadContext(properties, templates, allowsObjects, allowsFolders, folder);
  }
}
