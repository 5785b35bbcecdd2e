package dev.isogrid.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What JSON and YAML are made of, before it becomes {@link Element}s. */
sealed interface Value {
  /** Where the value starts. */
  Position position();

  /** A text, a number or a boolean, all as they are written; null for the null of the format. */
  record Scalar(@Nullable String text, Position position) implements Value {}

  /** A list of values. */
  record Sequence(List<Value> items, Position position) implements Value {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /** Names with values, in their order, no name twice. */
  record Mapping(List<Member> members, Position position) implements Value {
    public Mapping {
      members = List.copyOf(members);
    }
  }

  /** A name with a value; {@code position} is that of the name. */
  record Member(String name, Value value, Position position) {}
}
