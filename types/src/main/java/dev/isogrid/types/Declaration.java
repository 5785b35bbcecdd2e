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

  /** Full name of the message or enum. */
  String name();

  /**
   * A field.
   *
   * @param type name of the type in the schema
   * @param isMessage whether the type is a message
   * @param javaType the component's type, for errors
   * @param file that defines the type; null if none has to be imported
   */
  record Field(
      String name,
      boolean isRepeated,
      String type,
      boolean isMessage,
      String javaType,
      @Nullable String file) {}

  /**
   * A message.
   *
   * @param comment for readers of the schema; may be empty
   * @param hasNulls whether it has the field of null components
   */
  record Message(String name, String comment, List<Field> fields, boolean hasNulls)
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
  record Unit(
      String file, String packageName, List<Declaration> declarations, Set<String> imports) {
    public Unit {
      declarations = List.copyOf(declarations);
      imports = Set.copyOf(imports);
    }
  }
}
