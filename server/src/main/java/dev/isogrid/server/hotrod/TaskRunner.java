package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.CacheTemplates;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.server.net.CacheAdministration;
import dev.isogrid.server.net.CacheCatalog;
import dev.isogrid.server.net.DocumentWarnings;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Caller;
import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tasks by which clients administer caches. Thread-safe; calls block.
 *
 * <pre>
 * task                  parameters                                    result
 * {@code @@cache@create}       name, template or configuration, flags        nothing
 * {@code @@cache@getorcreate}  the same                                      nothing
 * {@code @@cache@remove}       name, flags                                   nothing
 * {@code @@cache@names}                                                      array of JSON
 * {@code @@cache@templates}                                                  array of JSON
 * {@code @@cache@updateConfigurationAttribute}  name, attribute, value      nothing
 * {@code @@cache@assignAlias}  name, alias                                   nothing
 * {@code @@template@create}    name, configuration, flags                    nothing
 * {@code @@template@remove}    name                                          nothing
 * {@code @@schemas@createOrUpdate}  name, content, op, force                 n, c or u; an error
 * {@code @@schemas@delete}     name                                          1 or 0
 * </pre>
 *
 * Without template and configuration a cache is local. With the flag {@code VOLATILE} a cache or
 * template ends with the server. With {@code UPDATE} an existing cache gets the new configuration.
 * {@code PERMANENT} is the default, and has no effect.
 */
final class TaskRunner {
  /** The prefix of these tasks, which no deployed task has. */
  static final String PREFIX = "@@";

  /** The configuration of a cache that is created without one. */
  private static final String DEFAULT_TEMPLATE = "dev.isogrid.LOCAL";

  /** Messages show a part of a client's text, not all of it. */
  private static final int SHOWN_LENGTH_MAX = 100;

  private static final String VOLATILE = "VOLATILE";
  private static final String UPDATE = "UPDATE";

  /** The opposite of {@link #VOLATILE}, which is the default; clients of 9.2 to 15 may send it. */
  private static final String PERMANENT = "PERMANENT";

  private static final byte[] NOTHING = {};
  private static final Logger log = System.getLogger(TaskRunner.class.getName());

  private final ServerContext context;
  private final SchemaTasks schemas;

  TaskRunner(ServerContext context) {
    this.context = context;
    this.schemas = new SchemaTasks(context.catalog().schemas());
  }

  /**
   * Runs a task.
   *
   * @param caller has the permissions for the server; those for a cache are checked here
   * @throws InvalidRequestException if there is no such task, or its parameters are wrong
   * @throws dev.isogrid.server.security.AccessRefused if the caller may not run it on that cache
   */
  byte[] run(String task, Map<String, String> parameters, Caller caller) {
    CacheAdministration caches = new CacheAdministration(context.catalog(), caller);
    return switch (task) {
      case "@@cache@create" -> create(parameters, false, caches);
      case "@@cache@getorcreate" -> create(parameters, true, caches);
      case "@@cache@remove" -> remove(parameters, caches);
      case "@@cache@names" -> jsonArray(context.node().cacheNames());
      case "@@cache@templates" -> jsonArray(templateNames());
      case "@@cache@updateConfigurationAttribute" -> updateAttribute(parameters, caches);
      case "@@cache@assignAlias" -> assignAlias(parameters, caches);
      case "@@template@create" -> createTemplate(parameters);
      case "@@template@remove" -> removeTemplate(parameters);
      case "@@cache@reindex", "@@cache@updateindexschema" -> throw notIndexed(parameters);
      case "@@schemas@createOrUpdate" -> schemas.write(parameters);
      case "@@schemas@delete" -> schemas.remove(parameters);
      default ->
          throw new InvalidRequestException(
              "java.lang.IllegalArgumentException: Unknown task '%s'".formatted(shown(task)));
    };
  }

  private byte[] create(Map<String, String> parameters, boolean orGet, CacheAdministration caches) {
    String name = name(parameters);
    Set<String> flags = flags(parameters);
    boolean isVolatile = flags.contains(VOLATILE);
    NamedCacheConfig described = described(name, parameters);
    if (flags.contains(UPDATE)) {
      caches.createOrUpdate(name, described, isVolatile);
    } else if (orGet) {
      caches.getOrCreate(name, described, isVolatile);
    } else if (!caches.create(name, described, isVolatile)) {
      throw CacheCatalog.exists(name);
    }
    return NOTHING;
  }

  private static byte[] remove(Map<String, String> parameters, CacheAdministration caches) {
    flags(parameters);
    caches.remove(name(parameters));
    return NOTHING;
  }

  private static byte[] updateAttribute(
      Map<String, String> parameters, CacheAdministration caches) {
    flags(parameters);
    caches.updateAttribute(
        name(parameters), required(parameters, "attribute"), required(parameters, "value"));
    return NOTHING;
  }

  private static byte[] assignAlias(Map<String, String> parameters, CacheAdministration caches) {
    if (parameters.containsKey("flags")) {
      throw new InvalidRequestException("aliases have no flags: leave the parameter flags out");
    }
    caches.assignAlias(required(parameters, "alias"), name(parameters));
    return NOTHING;
  }

  private byte[] createTemplate(Map<String, String> parameters) {
    String name = name(parameters);
    required(parameters, "configuration");
    boolean isVolatile = flags(parameters).contains(VOLATILE);
    context.catalog().templates().create(name, described(name, parameters).config(), isVolatile);
    return NOTHING;
  }

  private byte[] removeTemplate(Map<String, String> parameters) {
    flags(parameters);
    context.catalog().templates().remove(name(parameters));
    return NOTHING;
  }

  private static InvalidRequestException notIndexed(Map<String, String> parameters) {
    return new InvalidRequestException(
        "cache is not indexed: cache=%s; no cache can be".formatted(shown(name(parameters))));
  }

  private List<String> templateNames() {
    List<String> names = new ArrayList<>(context.catalog().templates().all().keySet());
    names.addAll(CacheTemplates.names());
    return names;
  }

  private static String name(Map<String, String> parameters) {
    return required(parameters, "name");
  }

  /**
   * A required parameter.
   *
   * @throws InvalidRequestException if it is missing
   */
  static String required(Map<String, String> parameters, String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new InvalidRequestException("missing parameter: name=" + name + "; add it");
    }
    return value;
  }

  private static Set<String> flags(Map<String, String> parameters) {
    Set<String> flags = new HashSet<>();
    for (String flag : parameters.getOrDefault("flags", "").split(",", -1)) {
      switch (flag.strip()) {
        case "", PERMANENT -> {}
        case VOLATILE, UPDATE -> flags.add(flag.strip());
        default ->
            throw new InvalidRequestException(
                "flag not supported: flag=%s; supported are VOLATILE, UPDATE and PERMANENT"
                    .formatted(shown(flag)));
      }
    }
    return flags;
  }

  private NamedCacheConfig described(String name, Map<String, String> parameters) {
    String document = notBlank(parameters.get("configuration"));
    String template = notBlank(parameters.get("template"));
    if (document == null) {
      String used = template == null ? DEFAULT_TEMPLATE : template;
      return new NamedCacheConfig(null, context.catalog().templates().template(used), List.of());
    }
    NamedCacheConfig read = CacheDocument.read(document, null, context.catalog().documentContext());
    DocumentWarnings.log(log, name, read);
    return read;
  }

  private static String shown(String text) {
    return text.length() <= SHOWN_LENGTH_MAX ? text : text.substring(0, SHOWN_LENGTH_MAX) + "...";
  }

  private static @Nullable String notBlank(@Nullable String text) {
    return text == null || text.isBlank() ? null : text;
  }

  private static byte[] jsonArray(Collection<String> names) {
    return names.stream()
        .map(name -> '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
        .collect(Collectors.joining(",", "[", "]"))
        .getBytes(StandardCharsets.UTF_8);
  }
}
