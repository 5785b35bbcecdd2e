package dev.isogrid.server.backup;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A client's order for a backup or restore: a JSON object, or nothing at all.
 *
 * @param location the name of the archive to restore, or null
 * @param selection the resources
 */
public record BackupOrder(@Nullable String location, BackupSelection selection) {
  private static final JsonFactory JSON = new JsonFactory();

  /** The most names of one request: more than servers have resources. */
  private static final int NAMES_MAX = 100_000;

  /**
   * Reads a request.
   *
   * @param json borrowed; empty for all resources
   * @throws InvalidRequestException if it is not such an object; the message has the reason
   */
  public static BackupOrder read(byte[] json) {
    if (json.length == 0) {
      return new BackupOrder(null, BackupSelection.all());
    }
    try (JsonParser parser = JSON.createParser(json)) {
      return read(parser);
    } catch (IOException malformed) {
      throw new InvalidRequestException(
          "request is no JSON: reason=%s; send an object with resources"
              .formatted(malformed.getMessage()),
          malformed);
    }
  }

  /**
   * Reads a list of resources alone: the object of {@code resources}. An empty one stands for all
   * resources, as clients send it for none in particular.
   *
   * @throws InvalidRequestException as {@link #read}
   */
  public static BackupSelection ofResources(byte[] json) {
    try (JsonParser parser = JSON.createParser(json)) {
      expect(parser.nextToken() == JsonToken.START_OBJECT, "an object for resources");
      return resources(parser);
    } catch (IOException malformed) {
      throw new InvalidRequestException(
          "list of resources is no JSON: reason=" + malformed.getMessage(), malformed);
    }
  }

  private static BackupOrder read(JsonParser parser) throws IOException {
    String location = null;
    BackupSelection selection = BackupSelection.all();
    expect(parser.nextToken() == JsonToken.START_OBJECT, "an object");
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      switch (name) {
        case "location" -> {
          expect(value == JsonToken.VALUE_STRING, "a text for location");
          location = parser.getText();
        }
        case "resources" -> {
          expect(value == JsonToken.START_OBJECT, "an object for resources");
          selection = resources(parser);
        }
        case "directory" ->
            throw new InvalidRequestException(
                "archives lie in the folder backups of the server's data folder: directory=%s;"
                        .formatted(parser.getText())
                    + " leave the directory out, and get the archive by REST");
        default ->
            throw new InvalidRequestException(
                "unknown attribute: name=%s; use resources, or location for a restore"
                    .formatted(name));
      }
    }
    expect(parser.currentToken() == JsonToken.END_OBJECT, "the end of the object");
    expect(parser.nextToken() == null, "nothing after the object");
    return new BackupOrder(location, selection);
  }

  private static BackupSelection resources(JsonParser parser) throws IOException {
    Map<BackupKind, Set<String>> names = new EnumMap<>(BackupKind.class);
    for (String word = parser.nextFieldName(); word != null; word = parser.nextFieldName()) {
      BackupKind kind = BackupKind.of(word);
      if (kind == null) {
        throw new InvalidRequestException(
            "unknown kind of resource: kind=%s; use caches, templates, counters, proto-schemas or"
                    .formatted(word)
                + " tasks");
      }
      expect(parser.nextToken() == JsonToken.START_ARRAY, "a list of names for " + word);
      names.put(kind, names(parser, word));
    }
    return names.isEmpty() ? BackupSelection.all() : new BackupSelection(names);
  }

  private static Set<String> names(JsonParser parser, String word) throws IOException {
    Set<String> names = new TreeSet<>();
    while (parser.nextToken() == JsonToken.VALUE_STRING) {
      names.add(parser.getText());
      expect(names.size() <= NAMES_MAX, "at most %d names for %s".formatted(NAMES_MAX, word));
    }
    expect(parser.currentToken() == JsonToken.END_ARRAY, "texts in the list for " + word);
    return names;
  }

  private static void expect(boolean holds, String what) {
    if (!holds) {
      throw new InvalidRequestException("invalid request for a backup: expected " + what);
    }
  }
}
