package dev.isogrid.types;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The message or enum of a class, without numbers. */
sealed interface Declaration {
  /**
   * Number of the field that lists null components by their numbers, where absence means something
   * else than null. The largest whose tag takes two bytes.
   */
  int NULLS_NUMBER = 2047;

  /** Name of that field. */
  String NULLS_NAME = "null_components";

  /** Number of the field that lists empty components, where absence means the record's default. */
  int EMPTIES_NUMBER = 2046;

  /** Name of that field. */
  String EMPTIES_NAME = "empty_components";

  /** Full name of the message or enum. */
  String name();

  /**
   * A field.
   *
   * @param type name of the type in the schema
   * @param isMessage whether the type is a message
   * @param javaType the component's type, for errors
   * @param file that defines the type; null if none has to be imported
   * @param isCut whether that file can't be imported, so that the type stands as bytes
   */
  record Field(
      String name,
      boolean isRepeated,
      String type,
      boolean isMessage,
      String javaType,
      @Nullable String file,
      boolean isCut) {}

  /**
   * A message.
   *
   * @param comment for readers of the schema; may be empty
   * @param hasNulls whether it has the field of null components
   * @param hasEmpties whether it has the field of empty components
   */
  record Message(
      String name, String comment, List<Field> fields, boolean hasNulls, boolean hasEmpties)
      implements Declaration {
    public Message {
      fields = List.copyOf(fields);
    }
  }

  /**
   * An enum.
   *
   * @param prefix of its constants in the schema
   * @param constants their names in Java
   */
  record Enumeration(String name, String prefix, List<String> constants) implements Declaration {
    public Enumeration {
      constants = List.copyOf(constants);
    }
  }

  /**
   * All declarations of the classes in one file.
   *
   * @param file name of it
   * @param packageName of the messages; may be empty
   */
  record Unit(String file, String packageName, List<Declaration> declarations) {
    public Unit {
      declarations = List.copyOf(declarations);
    }

    /** Whether a type of one of these files is used. */
    boolean usesAny(Set<String> files) {
      for (Declaration declaration : declarations) {
        if (declaration instanceof Message message) {
          for (Field field : message.fields()) {
            String used = field.file();
            if (used != null && files.contains(used)) {
              return true;
            }
          }
        }
      }
      return false;
    }
  }
}
