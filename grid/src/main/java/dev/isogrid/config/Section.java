package dev.isogrid.config;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.config.Element.Attribute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads one element, and ensures that none of its parts is left unread. A reader queries each known
 * attribute and child, then calls {@link #finish}, which refuses all other parts. Each query has
 * the meaning of a missing part as its argument. With {@link Notes#isLenient lenient} notes it
 * refuses nothing, and what is unknown counts as missing. Not thread-safe.
 */
final class Section {
  /** The types of attributes that are checked, but not used. */
  enum ValueType {
    BOOLEAN("true or false"),
    NUMBER("a whole number"),
    TIME(Quantity.TIME_FORM),
    SIZE(Quantity.SIZE_FORM),
    TEXT("text");

    private final String form;

    ValueType(String form) {
      this.form = form;
    }

    private boolean holds(String value) {
      return switch (this) {
        case BOOLEAN -> value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
        case NUMBER -> tryNumber(value).isPresent();
        case TIME -> Quantity.timeMillis(value).isPresent();
        case SIZE -> Quantity.sizeBytes(value).isPresent();
        case TEXT -> true;
      };
    }
  }

  private final Element element;
  private final String path;
  private final Notes notes;
  private final Set<String> attributesRead = new LinkedHashSet<>();
  private final Set<String> elementsRead = new LinkedHashSet<>();
  private boolean isTextRead;

  /**
   * Starts to read an element.
   *
   * @param path the name of the element in messages
   */
  Section(Element element, String path, Notes notes) {
    this.element = element;
    this.path = path;
    this.notes = notes;
  }

  Element element() {
    return element;
  }

  String path() {
    return path;
  }

  Notes notes() {
    return notes;
  }

  /** Whether the element has an attribute of this name. Does not count as reading it. */
  boolean has(String attribute) {
    return element.attribute(attribute) != null;
  }

  /** The value of an attribute, or null if it is absent. */
  @Nullable String text(String name) {
    Attribute attribute = attribute(name);
    return attribute == null ? null : attribute.value();
  }

  /** The value of an attribute, or null if it is absent or blank. */
  @Nullable String name(String name) {
    String value = text(name);
    return value == null || value.isBlank() ? null : value;
  }

  /** The characters between the tags of XML, blanks at both ends removed. */
  String content() {
    isTextRead = true;
    return element.text();
  }

  /** The value of an attribute that is true or false. */
  boolean flag(String name, boolean absent) {
    Attribute attribute = attribute(name);
    if (attribute == null || !isKnown(ValueType.BOOLEAN, attribute)) {
      return absent;
    }
    return attribute.value().equalsIgnoreCase("true");
  }

  /** The value of an attribute that is a whole number in a range. */
  int number(String name, int min, int max, int absent) {
    Attribute attribute = attribute(name);
    if (attribute == null) {
      return absent;
    }
    OptionalLong value = tryNumber(attribute.value());
    if (value.isEmpty() || value.getAsLong() < min || value.getAsLong() > max) {
      refuseValue(attribute, min + " to " + max);
      return absent;
    }
    return (int) value.getAsLong();
  }

  /** The value of an attribute that is a whole number with a least value. */
  long wholeNumber(String name, long min, long absent) {
    Attribute attribute = attribute(name);
    if (attribute == null) {
      return absent;
    }
    OptionalLong value = tryNumber(attribute.value());
    if (value.isEmpty() || value.getAsLong() < min) {
      refuseValue(attribute, "a whole number, not below " + min);
      return absent;
    }
    return value.getAsLong();
  }

  /** The value of an attribute that is a time, in milliseconds. */
  long timeMillis(String name, long min, long absent) {
    Attribute attribute = attribute(name);
    if (attribute == null) {
      return absent;
    }
    OptionalLong value = Quantity.timeMillis(attribute.value());
    if (value.isEmpty() || value.getAsLong() < min) {
      String range = min == Long.MIN_VALUE ? "" : ", not below " + min;
      refuseValue(attribute, Quantity.TIME_FORM + range);
      return absent;
    }
    return value.getAsLong();
  }

  /** The value of an attribute that is a size in a range, or null if it is absent. */
  @Nullable Long sizeBytes(String name, long min, long max) {
    Attribute attribute = attribute(name);
    if (attribute == null) {
      return null;
    }
    OptionalLong value = Quantity.sizeBytes(attribute.value());
    if (value.isEmpty() || value.getAsLong() < min || value.getAsLong() > max) {
      String range = max == Long.MAX_VALUE ? ", %d or more bytes" : ", from %d to %d bytes";
      refuseValue(attribute, Quantity.SIZE_FORM + range.formatted(min, max));
      return null;
    }
    return value.getAsLong();
  }

  /** The value of an attribute, in upper case, that is one of some words in any case. */
  String choice(String name, String absent, String... words) {
    Attribute attribute = attribute(name);
    if (attribute == null) {
      return absent;
    }
    for (String word : words) {
      if (word.equalsIgnoreCase(attribute.value())) {
        return word;
      }
    }
    refuseValue(attribute, String.join(", ", words));
    return absent;
  }

  /** The only child of a name, or null if there is none; more than one is an error. */
  @Nullable Section child(String name) {
    List<Section> found = children(name);
    if (found.size() > 1) {
      Section second = found.get(1);
      throw Complaint.malformed(
          "element more than once: " + second.path, second.element.position());
    }
    return found.isEmpty() ? null : found.getFirst();
  }

  /** The children of a name, in their order. */
  List<Section> children(String name) {
    elementsRead.add(name);
    allowEmptyList(name);
    return children(child -> child.name().equals(name));
  }

  /** The children that a condition holds for, in their order. */
  List<Section> children(Predicate<Element> condition) {
    List<Section> found = new ArrayList<>();
    for (Element child : element.children()) {
      if (condition.test(child)) {
        elementsRead.add(child.name());
        found.add(below(child));
      }
    }
    return found;
  }

  /** Accepts an empty list: in JSON and YAML, it means that there are no children of a name. */
  private void allowEmptyList(String name) {
    Attribute attribute = element.attribute(name);
    if (attribute != null && attribute.value().isEmpty()) {
      attributesRead.add(name);
    }
  }

  private Section below(Element child) {
    return new Section(child, path + "/" + Complaint.shown(child.name()), notes);
  }

  /** Accepts attributes that make no difference; their values must be of a type. */
  void ignore(ValueType type, String... names) {
    for (String name : names) {
      Attribute attribute = attribute(name);
      if (attribute != null && isKnown(type, attribute)) {
        notes.ignored(path + "@" + name);
      }
    }
  }

  /** Accepts the children of a name, which make no difference, with all their content. */
  void ignoreElement(String name) {
    for (Section child : children(name)) {
      notes.ignored(child.path);
    }
  }

  /** Accepts all unread parts, since they make no difference. */
  void ignoreRest() {
    boolean more = false;
    for (Attribute attribute : element.attributes()) {
      more |= attributesRead.add(attribute.name());
    }
    for (Element child : element.children()) {
      more |= elementsRead.add(child.name());
    }
    if (more) {
      notes.ignored(path);
    }
  }

  /** Refuses attributes and children of these names. */
  void refuse(String... names) {
    if (notes.isLenient()) {
      return;
    }
    for (String name : names) {
      Attribute attribute = element.attribute(name);
      if (attribute != null && !attribute.value().isEmpty()) {
        throw unsupported(attribute, "");
      }
      allowEmptyList(name);
      for (Section child : children(element -> element.name().equals(name))) {
        throw child.unsupported();
      }
    }
  }

  /**
   * Accepts an attribute with its only supported value, and refuses any other.
   *
   * @param others further known values; none if any text is possible
   */
  void only(String name, String value, String... others) {
    Attribute attribute = attribute(name);
    if (attribute == null || attribute.value().equalsIgnoreCase(value) || notes.isLenient()) {
      return;
    }
    boolean exists = Arrays.stream(others).anyMatch(attribute.value()::equalsIgnoreCase);
    if (others.length > 0 && !exists) {
      throw invalid(attribute, value + ", " + String.join(", ", others));
    }
    throw unsupported(attribute, "=" + Complaint.shown(attribute.value()));
  }

  /** Accepts an attribute that is true or false with its only supported value. */
  void only(String name, boolean value) {
    only(name, Boolean.toString(value), Boolean.toString(!value));
  }

  /**
   * Accepts the child of a name only with {@code enabled="false"}; then its other parts make no
   * difference.
   */
  void onlyDisabled(String name) {
    Section child = child(name);
    if (child == null) {
      return;
    }
    if (child.flag("enabled", true) && !notes.isLenient()) {
      throw child.unsupported();
    }
    child.ignoreRest();
  }

  /** An exception about an unsupported element. */
  InvalidRequestException unsupported() {
    return unsupported("remove it");
  }

  /**
   * As {@link #unsupported()}.
   *
   * @param remedy the remedy
   */
  InvalidRequestException unsupported(String remedy) {
    return Complaint.unsupported(notes.subject(), path, element.position(), remedy);
  }

  /** An exception about the wrong value of an attribute, which must exist. */
  InvalidRequestException invalid(String name, String allowed) {
    Attribute attribute = element.attribute(name);
    return attribute == null
        ? Complaint.invalid(path + "@" + name, "", element.position(), allowed)
        : invalid(attribute, allowed);
  }

  /** An exception about an attribute with an undefined reference. */
  InvalidRequestException undefined(String name, String value, Collection<String> defined) {
    return Complaint.undefined(path + "@" + name, value, element.position(), defined);
  }

  /** Refuses all unread parts. Call this last. */
  void finish() {
    if (notes.isLenient()) {
      return;
    }
    for (Attribute attribute : element.attributes()) {
      if (!attributesRead.contains(attribute.name())) {
        throw Complaint.unknown(
            "attribute",
            path + "@" + Complaint.shown(attribute.name()),
            attribute.position(),
            attributesRead);
      }
    }
    for (Element child : element.children()) {
      if (!elementsRead.contains(child.name())) {
        throw Complaint.unknown("element", below(child).path, child.position(), elementsRead);
      }
    }
    if (!isTextRead && !element.text().isEmpty()) {
      throw Complaint.malformed("text not expected in " + path, element.position());
    }
  }

  private @Nullable Attribute attribute(String name) {
    attributesRead.add(name);
    return element.attribute(name);
  }

  /** Whether a value is of a type; refuses it if not. */
  private boolean isKnown(ValueType type, Attribute attribute) {
    if (type.holds(attribute.value())) {
      return true;
    }
    refuseValue(attribute, type.form);
    return false;
  }

  /** Refuses the value of an attribute, unless the reader is lenient: then it is missing. */
  private void refuseValue(Attribute attribute, String allowed) {
    if (!notes.isLenient()) {
      throw invalid(attribute, allowed);
    }
  }

  private InvalidRequestException invalid(Attribute attribute, String allowed) {
    return Complaint.invalid(
        path + "@" + attribute.name(), attribute.value(), attribute.position(), allowed);
  }

  private InvalidRequestException unsupported(Attribute attribute, String suffix) {
    return Complaint.unsupported(
        notes.subject(), path + "@" + attribute.name() + suffix, attribute.position());
  }

  private static OptionalLong tryNumber(String value) {
    try {
      return OptionalLong.of(Long.parseLong(value.strip()));
    } catch (NumberFormatException _) {
      return OptionalLong.empty();
    }
  }
}
