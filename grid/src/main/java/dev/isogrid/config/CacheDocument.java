package dev.isogrid.config;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StoreConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a single cache as a document.
 *
 * {@snippet lang="xml" :
 * <distributed-cache name="orders" owners="2" segments="256" mode="SYNC" statistics="true">
 *   <encoding media-type="application/x-protostream"/>
 *   <expiration lifespan="30m" max-idle="5m"/>
 *   <memory storage="OFF_HEAP" max-size="512MB" when-full="REMOVE"/>
 * </distributed-cache>
 * }
 *
 * <p>The element may stand by itself, within {@code <caches>} or {@code
 * <infinispan><cache-container>}, or, in JSON and YAML, within an object with the cache's name,
 * also within {@code caches}. Caches read from a document keep bytes off the heap, unless it has
 * {@code <memory storage="HEAP"/>}, or {@code storage="HEAP_OBJECT"} if the context allows that. A
 * marshaller is named by its class, or by its name on the nodes: {@code <encoding
 * value-marshaller="com.acme.Orders"/>}.
 *
 * <p>All methods are pure and may be called by any thread. The cost is proportional to the length
 * of the document, which is limited to 1,048,576 characters.
 */
public final class CacheDocument {
  private CacheDocument() {}

  /**
   * Reads a document.
   *
   * @param format null to detect it from the text
   * @param context the permitted references of the document
   * @throws InvalidRequestException if the text is not such a document, exceeds a limit, or has a
   *     part that is unknown, out of range or not supported; the message names it and its position
   * @throws FatalGridException if the library that reads the format is not on the class path
   */
  public static NamedCacheConfig read(
      String text, @Nullable DocumentFormat format, ReadContext context) {
    return read(text, format, context, new Notes("cache"));
  }

  /**
   * As {@link #read(String, DocumentFormat, ReadContext)}, for a document of another version.
   * Unknown parts, and known ones with unknown values, count as missing where that is possible.
   */
  public static NamedCacheConfig readLeniently(
      String text, DocumentFormat format, ReadContext context) {
    return read(text, format, context, new Notes("cache", true));
  }

  private static NamedCacheConfig read(
      String text, @Nullable DocumentFormat format, ReadContext context, Notes notes) {
    Element document = Document.read(text, format, context.properties());
    Element root = root(document);
    CacheDefinitions definitions = new CacheDefinitions(context, notes);
    if (isWrapped(root)) {
      addWrapped(new Section(root, root.name(), notes), definitions);
    } else if (CacheDefinitions.holdsCaches(root)) {
      definitions.addCaches(new Section(root, root.name(), notes));
    } else {
      definitions.addEither(new Section(root, Complaint.shown(root.name()), notes));
    }
    return definitions.single();
  }

  /**
   * Reads a document of UTF-8 bytes, which are borrowed. See {@link #read(String, DocumentFormat,
   * ReadContext)}.
   */
  public static NamedCacheConfig read(
      byte[] utf8, @Nullable DocumentFormat format, ReadContext context) {
    return read(Document.decode(utf8), format, context);
  }

  private static Element root(Element document) {
    if (!document.attributes().isEmpty()) {
      Element.Attribute value = document.attributes().getFirst();
      throw Complaint.malformed(
          "element expected at the top, not a value: name=" + Complaint.shown(value.name()),
          value.position());
    }
    int found = document.children().size();
    if (found != 1) {
      throw Complaint.malformed("one element expected at the top: found=" + found, Position.START);
    }
    return document.children().getFirst();
  }

  private static boolean isWrapped(Element root) {
    boolean hasContainer =
        root.children().stream().anyMatch(child -> child.name().equals("cache-container"));
    return hasContainer && ServerDocument.ROOTS.contains(root.name());
  }

  private static void addWrapped(Section root, CacheDefinitions definitions) {
    Section container = root.child("cache-container");
    root.finish();
    if (container != null) {
      container.ignore(Section.ValueType.TEXT, "name", "default-cache");
      container.ignore(Section.ValueType.BOOLEAN, "statistics");
      definitions.addContainer(container);
      container.finish();
    }
  }

  /**
   * Writes a document that {@link #read(String, DocumentFormat, ReadContext)} turns into an equal
   * configuration if objects are allowed. Marshallers are written by their names.
   *
   * @param name the name of the cache, or null to leave it out
   * @param pretty whether JSON gets line breaks; XML and YAML always have them
   * @throws InvalidRequestException if the name, a media type, a role or a property of the store is
   *     not allowed in a document
   */
  public static String write(
      @Nullable String name, CacheConfig config, DocumentFormat format, boolean pretty) {
    NamedCacheConfig checked = new NamedCacheConfig(name, config, List.of());
    Element element = CacheElementWriter.element(checked.config());
    return DocumentWriter.write(checked.name(), element, format, pretty);
  }

  /**
   * As {@link #write(String, CacheConfig, DocumentFormat, boolean)}, but with {@code ***} for the
   * passwords of a store: for clients.
   */
  public static String show(
      @Nullable String name, CacheConfig config, DocumentFormat format, boolean pretty) {
    return show(new NamedCacheConfig(name, config, List.of()), format, pretty);
  }

  /**
   * As {@link #show(String, CacheConfig, DocumentFormat, boolean)}, with the aliases of the cache,
   * but for those that no document can have.
   */
  public static String show(NamedCacheConfig cache, DocumentFormat format, boolean pretty) {
    CacheConfig config = cache.config();
    StoreConfig store = config.store();
    CacheConfig shown =
        store == null ? config : config.toBuilder().store(StoreElement.hidden(store)).build();
    List<String> aliases = cache.aliases().stream().filter(CacheDefinitions::isAlias).toList();
    Element element = CacheElementWriter.element(shown, aliases);
    return DocumentWriter.write(cache.name(), element, format, pretty);
  }

  /** As {@link #write(String, CacheConfig, DocumentFormat, boolean)}, JSON in one line. */
  public static String write(@Nullable String name, CacheConfig config, DocumentFormat format) {
    return write(name, config, format, false);
  }
}
