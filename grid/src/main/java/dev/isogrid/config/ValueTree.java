package dev.isogrid.config;

import dev.isogrid.config.Value.Mapping;
import dev.isogrid.config.Value.Member;
import dev.isogrid.config.Value.Scalar;
import dev.isogrid.config.Value.Sequence;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes elements of the values of JSON and YAML: a mapping is an element, null an empty one, a list
 * of mappings a repeated one; any other value, and a list of them, is an attribute. An empty list
 * could be both, and is an attribute without a value.
 */
final class ValueTree {
  /** A member of JSON for the namespace of XML, without a meaning here. */
  private static final String NAMESPACE = "_namespace";

  private final Budget budget;
  private final PropertyExpansion properties;

  ValueTree(Budget budget, PropertyExpansion properties) {
    this.budget = budget;
    this.properties = properties;
  }

  /** The element without a name for a whole document. */
  Element document(Value root) {
    if (!(root instanceof Mapping mapping)) {
      throw Complaint.malformed("names with values expected at the top", root.position());
    }
    return element("", mapping, mapping.position(), 1);
  }

  /** Recurses to the depth of the values, which the budget limits. */
  private Element element(String name, Mapping mapping, Position position, int depth) {
    budget.node(depth, position);
    budget.text(name.length(), position);
    Element.Builder builder = Element.builder(name, position);
    for (Member member : mapping.members()) {
      boolean isNamespace = member.name().equals(NAMESPACE) && member.value() instanceof Scalar;
      if (!isNamespace) {
        add(member, builder, depth + 1);
      }
    }
    return builder.build();
  }

  private void add(Member member, Element.Builder builder, int depth) {
    switch (member.value()) {
      case Mapping mapping -> builder.child(element(member, mapping, depth));
      case Scalar scalar when scalar.text() == null -> builder.child(empty(member, depth));
      case Scalar scalar -> attribute(member, List.of(scalar), builder, depth);
      case Sequence sequence -> addAll(member, sequence, builder, depth);
    }
  }

  private void addAll(Member member, Sequence sequence, Element.Builder builder, int depth) {
    List<Scalar> scalars = new ArrayList<>();
    List<Element> elements = new ArrayList<>();
    for (Value item : sequence.items()) {
      switch (item) {
        case Mapping mapping -> elements.add(element(member, mapping, depth));
        case Scalar scalar when scalar.text() == null -> elements.add(empty(member, depth));
        case Scalar scalar -> scalars.add(scalar);
        case Sequence inner ->
            throw Complaint.malformed("list directly within a list", inner.position());
      }
    }
    if (!scalars.isEmpty() && !elements.isEmpty()) {
      throw Complaint.malformed("list of both values and objects", sequence.position());
    }
    if (elements.isEmpty()) {
      attribute(member, scalars, builder, depth);
    }
    elements.forEach(builder::child);
  }

  private Element element(Member member, Mapping mapping, int depth) {
    return element(member.name(), mapping, member.position(), depth);
  }

  private Element empty(Member member, int depth) {
    return element(member, new Mapping(List.of(), member.position()), depth);
  }

  private void attribute(Member member, List<Scalar> items, Element.Builder builder, int depth) {
    budget.node(depth, member.position());
    budget.text(member.name().length(), member.position());
    StringBuilder value = new StringBuilder();
    for (Scalar item : items) {
      budget.node(depth, item.position());
      String text = item.text() == null ? "" : item.text();
      value.append(value.isEmpty() ? "" : " ").append(properties.expand(text, item.position()));
    }
    builder.attribute(member.name(), value.toString(), member.position());
  }
}
