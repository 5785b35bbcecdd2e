package dev.isogrid.config;

import dev.isogrid.api.CacheConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The caches and templates of one document. First all are collected by their names, then each is
 * read on top of its template, so that the order of the document does not matter.
 */
final class CacheDefinitions {
  /** An element that defines a cache or a template. */
  private record Definition(
      @Nullable String name,
      CacheKind kind,
      boolean isTemplate,
      List<String> aliases,
      Section section) {}

  private static final String CACHES = "caches";

  private final ReadContext context;
  private final Notes notes;
  private final List<Definition> definitions = new ArrayList<>();
  private final Map<String, Definition> byName = new HashMap<>();
  private final Map<Definition, CacheConfig> configs = new HashMap<>();

  CacheDefinitions(ReadContext context, Notes notes) {
    this.context = context;
    this.notes = notes;
  }

  /** Collects the caches and templates of a container: its own children, and those wrapped. */
  void addContainer(Section container) {
    container.children(CacheDefinitions::definesCache).forEach(child -> add(child, null));
    container.children(CACHES).forEach(this::addCaches);
  }

  /** Collects the caches and templates in an element {@code caches}. */
  void addCaches(Section caches) {
    caches.children(child -> true).forEach(this::addEither);
    caches.finish();
  }

  /**
   * Returns whether an element at the top holds caches by their names. A cache may have the name
   * {@code caches} itself.
   */
  static boolean holdsCaches(Element root) {
    if (!root.name().equals(CACHES) || !root.attributes().isEmpty()) {
      return false;
    }
    if (root.children().size() != 1 || !definesCache(root.children().getFirst())) {
      return true;
    }
    Element.Attribute name = root.children().getFirst().attribute("name");
    return name != null && !name.value().equals(root.written());
  }

  /**
   * Collects a cache or template: the element itself, or the only child of an element that has the
   * cache's name.
   */
  void addEither(Section section) {
    Element element = section.element();
    boolean isWrapper =
        element.attributes().isEmpty()
            && element.children().size() == 1
            && definesCache(element.children().getFirst());
    if (isWrapper) {
      Section child = section.children(CacheDefinitions::definesCache).getFirst();
      section.finish();
      add(child, element.written());
    } else if (definesCache(element)) {
      add(section, null);
    } else {
      throw Complaint.unknown(
          "element", section.path(), element.position(), List.of("local-cache and the like"));
    }
  }

  private static boolean definesCache(Element element) {
    return CacheKind.ofElement(element.name()) != null || isRemoved(element);
  }

  /** Whether this kind of cache existed only in earlier versions. */
  private static boolean isRemoved(Element element) {
    return element.name().equals("scattered-cache")
        || element.name().equals("scattered-cache" + CacheKind.TEMPLATE_SUFFIX);
  }

  private void add(Section found, @Nullable String key) {
    Element element = found.element();
    CacheKind kind = CacheKind.ofElement(element.name());
    String attribute = found.name("name");
    String name = key == null ? attribute : key;
    String path = element.name() + (name == null ? "" : "[" + Complaint.shown(name) + "]");
    if (kind == null) {
      throw Complaint.unsupported(notes.subject(), path, element.position());
    }
    Section section = new Section(element, path, notes);
    section.text("name");
    if (name != null && !NamedCacheConfig.isName(name)) {
      throw Complaint.invalid(path + "@name", name, element.position(), NamedCacheConfig.NAME_FORM);
    }
    if (attribute != null && !attribute.equals(name)) {
      throw section.invalid("name", Complaint.shown(String.valueOf(name)));
    }
    boolean isTemplate = element.name().endsWith(CacheKind.TEMPLATE_SUFFIX);
    List<String> aliases = aliases(section, isTemplate);
    Definition definition = new Definition(name, kind, isTemplate, aliases, section);
    definitions.add(definition);
    if (name != null && byName.putIfAbsent(name, definition) != null) {
      throw Complaint.malformed(
          "cache or template twice: name=" + Complaint.shown(name), element.position());
    }
  }

  /**
   * Whether an alias can stand in a list of them: it is one word, and nothing is replaced in it.
   */
  static boolean isAlias(String alias) {
    return !alias.contains("${")
        && alias.equals(alias.strip())
        && alias.split("[\\s,]+", -1).length == 1;
  }

  private static List<String> aliases(Section section, boolean isTemplate) {
    if (isTemplate) {
      section.refuse("aliases");
    }
    String text = section.name("aliases");
    if (text == null) {
      return List.of();
    }
    List<String> aliases = List.of(text.strip().split("[\\s,]+", -1));
    if (!aliases.stream().allMatch(NamedCacheConfig::isName)) {
      throw section.invalid("aliases", NamedCacheConfig.NAME_FORM);
    }
    return aliases;
  }

  /** The only cache, or without caches the only template. */
  NamedCacheConfig single() {
    List<Definition> caches = definitions.stream().filter(d -> !d.isTemplate()).toList();
    List<Definition> candidates = caches.isEmpty() ? definitions : caches;
    if (candidates.size() != 1) {
      throw Complaint.malformed("one cache expected: found=" + candidates.size(), Position.START);
    }
    Definition definition = candidates.getFirst();
    CacheConfig config = config(definition, 0);
    definitions.forEach(other -> config(other, 0)); // so that a fault in a template is found
    return new NamedCacheConfig(definition.name(), config, notes.warnings(), definition.aliases());
  }

  /**
   * All caches, in the order of the document; each must have a name, and each alias is that of one.
   */
  List<NamedCacheConfig> caches() {
    List<NamedCacheConfig> caches = new ArrayList<>();
    Map<String, String> users = new HashMap<>();
    for (Definition definition : definitions) {
      if (!definition.isTemplate()) {
        checkAliases(definition, users);
        CacheConfig config = config(definition, 0);
        caches.add(
            new NamedCacheConfig(nameOf(definition), config, List.of(), definition.aliases()));
      }
    }
    return caches;
  }

  /**
   * Refuses aliases that are names of caches, or aliases of other ones.
   *
   * @param users the caches so far by their aliases; gets this one
   */
  private void checkAliases(Definition definition, Map<String, String> users) {
    for (String alias : definition.aliases()) {
      Definition named = byName.get(alias);
      String user = users.putIfAbsent(alias, nameOf(definition));
      String other = user == null || user.equals(definition.name()) ? null : user;
      if (other != null || (named != null && !named.isTemplate())) {
        throw definition
            .section()
            .invalid(
                "aliases",
                "names that no other cache has: alias=%s, cache=%s"
                    .formatted(
                        Complaint.shown(alias), Complaint.shown(other == null ? alias : other)));
      }
    }
  }

  /** All templates by their names, in the order of the document. */
  Map<String, CacheConfig> templates() {
    Map<String, CacheConfig> templates = new LinkedHashMap<>();
    for (Definition definition : definitions) {
      if (definition.isTemplate()) {
        templates.put(nameOf(definition), config(definition, 0));
      }
    }
    return templates;
  }

  private static String nameOf(Definition definition) {
    String name = definition.name();
    if (name == null) {
      throw definition.section().invalid("name", NamedCacheConfig.NAME_FORM);
    }
    return name;
  }

  /** Recurses along the templates, at most as deep as {@link Limits#INHERITANCE_MAX}. */
  private CacheConfig config(Definition definition, int depth) {
    CacheConfig known = configs.get(definition);
    if (known != null) {
      return known;
    }
    Section section = definition.section();
    if (definition.isTemplate() && String.valueOf(definition.name()).contains("*")) {
      throw section.unsupported(); // a pattern for the names of caches
    }
    CacheConfig base = base(definition, section.name("configuration"), depth);
    CacheConfig config = CacheElement.read(section, definition.kind(), base, context);
    configs.put(definition, config);
    return config;
  }

  private CacheConfig base(Definition user, @Nullable String template, int depth) {
    if (template == null) {
      return CacheElement.defaults(user.kind());
    }
    Section section = user.section();
    if (depth == Limits.INHERITANCE_MAX) {
      throw section.invalid(
          "configuration", "at most " + Limits.INHERITANCE_MAX + " templates in a row, no circle");
    }
    CacheConfig base = template(template, depth);
    if (base == null) {
      List<String> defined = new ArrayList<>(context.templates().keySet());
      definitions.stream().filter(Definition::isTemplate).forEach(d -> defined.add(nameOf(d)));
      defined.addAll(CacheTemplates.names());
      throw section.undefined("configuration", template, defined);
    }
    CacheKind kind = CacheKind.ofMode(base.mode());
    if (kind != user.kind()) {
      throw section.invalid(
          "configuration", "a template of the same kind; this one is of " + kind.elementName());
    }
    return base;
  }

  private @Nullable CacheConfig template(String name, int depth) {
    Definition definition = byName.get(name);
    if (definition != null && definition.isTemplate()) {
      return config(definition, depth + 1);
    }
    CacheConfig template = context.templates().get(name);
    return template == null ? CacheTemplates.find(name) : template;
  }
}
