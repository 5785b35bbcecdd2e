package dev.isogrid.types;

import org.jspecify.annotations.Nullable;

/**
 * The form of a component in a message.
 *
 * @param shape how often elements stand in the message
 * @param raw class of the component
 * @param element type of the component itself, or of what it contains, or of a map's values
 * @param key type of a map's keys; null if it is no map
 */
record FieldType(Shape shape, Class<?> raw, Element element, @Nullable Element key) {
  /** How often an element stands in a message. */
  enum Shape {
    SINGLE,
    OPTIONAL,
    REPEATED,
    MAP
  }

  /** The kinds of elements. */
  enum Kind {
    SCALAR,
    JAVA,
    ENUM,
    RECORD,
    SEALED,
    USER_ENUM,
    USER_MESSAGE,
    WRAPPED
  }

  /**
   * The type of one value.
   *
   * @param type class of it, boxed
   * @param schemaName name of its type in a schema
   * @param file that must be imported for it; null if none, or if {@link #isOwn}
   */
  record Element(Class<?> type, Kind kind, String schemaName, @Nullable String file) {
    /** Whether its schema is derived from the class. */
    boolean isOwn() {
      return kind == Kind.ENUM || kind == Kind.RECORD || kind == Kind.SEALED;
    }

    /** Whether it is a message. */
    boolean isMessage() {
      return kind != Kind.SCALAR && kind != Kind.ENUM && kind != Kind.USER_ENUM;
    }
  }

  /** Whether it is a map that schemas have a type for, and ProtoStream's JSON as well. */
  boolean isPlainMap() {
    return key != null
        && key.kind() == Kind.SCALAR
        && !key.schemaName().equals("bytes")
        && !key.schemaName().equals("float")
        && !key.schemaName().equals("double")
        && !element.isMessage()
        && !element.schemaName().equals("bytes");
  }

  /** Whether a message without it stands for something else than null or zero. */
  boolean isEmptyIfAbsent() {
    return shape != Shape.SINGLE;
  }
}
