package dev.isogrid.config;

import dev.isogrid.api.CacheConfig;
import java.util.Map;

/**
 * What a document may refer to and ask for.
 *
 * @param properties the values for <code>${name}</code>
 * @param templates configurations that caches may inherit from by their names, beside those of
 *     {@link CacheTemplates} and those that the document itself defines
 * @param allowsObjects whether a cache may say {@code <memory storage="HEAP_OBJECT"/>} to keep
 *     references to objects, which only an embedded one can
 * @param allowsFolders whether the store of a cache may name an absolute path, which only those can
 *     who may write files on this machine anyway
 */
public record ReadContext(
    PropertyLookup properties,
    Map<String, CacheConfig> templates,
    boolean allowsObjects,
    boolean allowsFolders) {
  /** Copies the map. */
  public ReadContext {
    templates = Map.copyOf(templates);
  }

  /** Nothing: for documents that come from outside. */
  public static ReadContext empty() {
    return new ReadContext(PropertyLookup.none(), Map.of(), false, false);
  }

  /** System properties and environment variables: for the files of whoever starts the process. */
  public static ReadContext process() {
    return new ReadContext(PropertyLookup.process(), Map.of(), false, true);
  }

  /** This context with other properties. */
  public ReadContext withProperties(PropertyLookup properties) {
    return new ReadContext(properties, templates, allowsObjects, allowsFolders);
  }

  /** This context with other templates. */
  public ReadContext withTemplates(Map<String, CacheConfig> templates) {
    return new ReadContext(properties, templates, allowsObjects, allowsFolders);
  }

  /** This context for the documents of an embedded grid, whose caches may keep objects. */
  public ReadContext withObjects() {
    return new ReadContext(properties, templates, true, allowsFolders);
  }

  /** This context for documents that a process or an operator wrote: stores may be anywhere. */
  public ReadContext withFolders() {
    return new ReadContext(properties, templates, allowsObjects, true);
  }
}
