package dev.isogrid.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of JSON and YAML, before they become {@link Element}s. */
sealed interface Value {
  /** The start of the value. */
  Position position();

  /** A text, a number or a boolean, all in their written form; null for the null of the format. */
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
