package dev.isogrid.types;

import dev.isogrid.types.Declaration.Enumeration;
import dev.isogrid.types.Declaration.Field;
import dev.isogrid.types.Declaration.Message;
import dev.isogrid.types.Declaration.Unit;
import dev.isogrid.types.FieldType.Element;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The messages and enums of the classes of one file. For one thread. */
final class Declarations {
  private final FieldTypes types;
  private final String file;
  private final Map<Class<?>, String> files;
  private final Set<String> imports;
  private final List<Declaration> declared = new ArrayList<>();

  /**
   * Begins.
   *
   * @param file name of it
   * @param files of all classes that are used
   * @param imports those of these files that can be imported
   */
  Declarations(FieldTypes types, String file, Map<Class<?>, String> files, Set<String> imports) {
    this.types = types;
    this.file = file;
    this.files = files;
    this.imports = imports;
  }

  Unit unit(List<Class<?>> content) {
    for (Class<?> type : content) {
      if (type.isEnum()) {
        declareEnum(type);
      } else if (type.isRecord()) {
        declareRecord(type);
      } else {
        declareSealed(type);
      }
    }
    return new Unit(file, TypeNames.topLevel(content.get(0)).getPackageName(), declared);
  }

  private void declareEnum(Class<?> type) {
    List<String> constants =
        Arrays.stream(type.getEnumConstants()).map(c -> ((Enum<?>) c).name()).toList();
    declared.add(new Enumeration(TypeNames.of(type), TypeNames.constantPrefix(type), constants));
  }

  private void declareRecord(Class<?> type) {
    String name = TypeNames.of(type);
    List<Field> fields = new ArrayList<>();
    boolean hasCollections = false;
    for (RecordComponent component : type.getRecordComponents()) {
      FieldType form = types.of(component.getGenericType());
      hasCollections |= form.isEmptyIfAbsent();
      fields.add(field(name, component, form));
    }
    boolean hasDefaults = RecordShape.hasDefaults(type);
    declared.add(
        new Message(
            name, "", fields, hasDefaults || hasCollections, hasDefaults && hasCollections));
  }

  private void declareSealed(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    SealedNames.of(types.leaves(type))
        .forEach((name, leaf) -> fields.add(single(name, types.element(leaf))));
    declared.add(
        new Message(TypeNames.of(type), "Exactly one field is set.", fields, false, false));
  }

  private Field field(String record, RecordComponent component, FieldType form) {
    String name = component.getName();
    String java = component.getGenericType().getTypeName();
    Element element = form.element();
    Element key = form.key();
    if (key == null) {
      boolean isRepeated = form.shape() == FieldType.Shape.REPEATED;
      return field(name, isRepeated, element, java);
    }
    if (form.isPlainMap()) {
      String map = "map<" + key.schemaName() + ", " + schemaName(element) + ">";
      return new Field(name, true, map, false, java, importOf(element), isCut(element));
    }
    String entry =
        record + "." + Character.toUpperCase(name.charAt(0)) + name.substring(1) + "Entry";
    List<Field> pair = List.of(single("key", key), single("value", element));
    declared.add(new Message(entry, "", pair, false, false));
    return new Field(name, true, entry, true, java, null, false);
  }

  private Field single(String name, Element element) {
    return field(name, false, element, element.type().getName());
  }

  private Field field(String name, boolean isRepeated, Element element, String java) {
    return new Field(
        name,
        isRepeated,
        schemaName(element),
        element.isMessage(),
        java,
        importOf(element),
        isCut(element));
  }

  private @Nullable String importOf(Element element) {
    String own = element.isOwn() ? files.get(element.type()) : element.file();
    return file.equals(own) ? null : own;
  }

  private boolean isCut(Element element) {
    String other = importOf(element);
    return element.isOwn() && other != null && !imports.contains(other);
  }

  private String schemaName(Element element) {
    if (isCut(element)) {
      return element.isMessage() ? "bytes" : "int32";
    }
    return element.schemaName();
  }
}
