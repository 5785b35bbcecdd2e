package dev.isogrid.config;

import org.jspecify.annotations.Nullable;

/**
 * Replaces the properties in the values of a document. The forms are <code>${name}</code>, <code>
 * ${name:default}</code>, <code>${first,second:default}</code> with any number of names, and <code>
 * ${env.NAME}</code> for environment variables. A default may be empty; it ends at the next closing
 * brace. The replacement itself is not expanded again. A property that is not defined and has no
 * default is an error.
 */
final class PropertyExpansion {
  private final PropertyLookup lookup;
  private final Budget budget;

  PropertyExpansion(PropertyLookup lookup, Budget budget) {
    this.lookup = lookup;
    this.budget = budget;
  }

  /** The value with all properties replaced. */
  String expand(String value, Position position) {
    budget.text(value.length(), position);
    int reference = value.indexOf("${");
    if (reference < 0) {
      return value;
    }
    StringBuilder expanded = new StringBuilder();
    int done = 0;
    while (reference >= 0) {
      int end = value.indexOf('}', reference);
      if (end < 0) {
        throw Complaint.malformed("property reference without closing brace", position);
      }
      String replacement = replacement(value.substring(reference + 2, end), position);
      budget.text(replacement.length(), position);
      expanded.append(value, done, reference).append(replacement);
      done = end + 1;
      reference = value.indexOf("${", done);
    }
    return expanded.append(value, done, value.length()).toString();
  }

  private String replacement(String reference, Position position) {
    int colon = reference.indexOf(':');
    String names = colon < 0 ? reference : reference.substring(0, colon);
    String fallback = colon < 0 ? null : reference.substring(colon + 1);
    if (names.isBlank() || reference.contains("${")) {
      throw Complaint.malformed(
          "property reference not understood: " + Complaint.shown("${" + reference + "}"),
          position);
    }
    String value = firstDefined(names);
    if (value != null) {
      return value;
    }
    if (fallback != null) {
      return fallback;
    }
    throw Complaint.malformed(
        "property not defined and without default: name=" + Complaint.shown(names), position);
  }

  private @Nullable String firstDefined(String names) {
    for (String name : names.split(",", -1)) {
      String trimmed = name.strip();
      String value = trimmed.isEmpty() ? null : lookup.value(trimmed);
      if (value != null) {
        return value;
      }
    }
    return null;
  }
}
