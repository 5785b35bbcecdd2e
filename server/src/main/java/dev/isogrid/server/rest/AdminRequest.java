package dev.isogrid.server.rest;

import dev.isogrid.server.backup.BackupDesk;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An administrative request, complete and detached from its connection.
 *
 * @param verb its method
 * @param path the decoded segments of its path
 * @param query its parameters with all their values
 * @param accept the header {@code Accept}, or null for anything
 * @param contentType of the body, or null if none is given
 * @param flags the header of that name, or null
 * @param body the body, which must not change
 * @param upload the upload of the body instead of {@code body}, or null
 * @param guard knows the caller
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record AdminRequest(
    Verb verb,
    List<String> path,
    Map<String, List<String>> query,
    @Nullable String accept,
    @Nullable String contentType,
    @Nullable String flags,
    byte[] body,
    BackupDesk.@Nullable Upload upload,
    RestGuard guard) {

  /** The same with its body, which must not be changed. */
  AdminRequest with(byte[] itsBody) {
    return new AdminRequest(verb, path, query, accept, contentType, flags, itsBody, upload, guard);
  }

  /** The same with a body in a file. */
  AdminRequest with(BackupDesk.Upload begun) {
    return new AdminRequest(verb, path, query, accept, contentType, flags, body, begun, guard);
  }

  /** A parameter, the first of those with its name; null if there is none. */
  @Nullable String parameter(String name) {
    List<String> values = query.get(name);
    return values == null ? null : values.getFirst();
  }

  /** A parameter, the first of those with its name, or another text if there is none. */
  String parameter(String name, String otherwise) {
    String value = parameter(name);
    return value == null ? otherwise : value;
  }

  /** All values of a parameter, in their order. */
  List<String> values(String name) {
    return query.getOrDefault(name, List.of());
  }

  /** Method and path, for logs and messages. */
  String describe() {
    String action = parameter("action");
    return verb + " /" + String.join("/", path) + (action == null ? "" : "?action=" + action);
  }

  /** The name of the cache in a path under {@code caches}. */
  String cacheName() {
    return path.get(3);
  }

  /** A parameter that is a number. */
  long number(String name, long otherwise) {
    String value = parameter(name);
    if (value == null) {
      return otherwise;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw malformed(name, value, "use a number");
    }
  }

  /** A parameter that is true or false, in any case. */
  boolean flag(String name) {
    String value = parameter(name, "false");
    if (value.equalsIgnoreCase("true")) {
      return true;
    }
    if (value.equalsIgnoreCase("false")) {
      return false;
    }
    throw malformed(name, value, "use true or false");
  }

  private static RestProblem malformed(String name, String value, String advice) {
    return RestProblem.badRequest(
        "malformed parameter: name=%s, value=%s; %s".formatted(name, value, advice));
  }
}
