package dev.isogrid.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.isogrid.config.Value.Mapping;
import dev.isogrid.config.Value.Member;
import dev.isogrid.config.Value.Scalar;
import dev.isogrid.config.Value.Sequence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads JSON, without any extension of the format, into values. */
final class JsonReader {
  /** Names are not cached between documents, so that foreign documents can't fill the memory. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(2 * Limits.DEPTH_MAX)
                  .maxStringLength(Limits.DOCUMENT_SIZE_MAX)
                  .maxNameLength(Limits.DOCUMENT_SIZE_MAX)
                  .build())
          .build();

  private final JsonParser parser;
  private final Budget budget = new Budget();

  private JsonReader(JsonParser parser) {
    this.parser = parser;
  }

  /** The value of a document. */
  static Value read(String document) {
    try (JsonParser parser = FACTORY.createParser(document)) {
      JsonReader reader = new JsonReader(parser);
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw Complaint.malformed("document is empty", Position.START);
      }
      Value root = reader.value(first, 1);
      if (parser.nextToken() != null) {
        throw Complaint.malformed("more than one document", reader.position());
      }
      return root;
    } catch (JsonProcessingException e) {
      throw Complaint.malformed(
          Complaint.shown(e.getOriginalMessage()), position(e.getLocation()), e);
    } catch (IOException e) {
      throw Complaint.malformed("document can't be read", Position.START, e);
    }
  }

  /** Recurses to the depth of the values, which the budget limits. */
  private Value value(JsonToken token, int depth) throws IOException {
    Position position = position();
    budget.node(depth, position);
    return switch (token) {
      case START_OBJECT -> mapping(position, depth);
      case START_ARRAY -> sequence(position, depth);
      case VALUE_NULL -> new Scalar(null, position);
      default -> new Scalar(parser.getText(), position);
    };
  }

  private Mapping mapping(Position start, int depth) throws IOException {
    List<Member> members = new ArrayList<>();
    Set<String> names = new HashSet<>();
    String name;
    while ((name = parser.nextFieldName()) != null) {
      Position position = position();
      if (!names.add(name)) {
        throw Complaint.malformed("member twice: name=" + Complaint.shown(name), position);
      }
      members.add(new Member(name, value(parser.nextToken(), depth + 1), position));
    }
    return new Mapping(members, start);
  }

  private Sequence sequence(Position start, int depth) throws IOException {
    List<Value> items = new ArrayList<>();
    JsonToken token;
    while ((token = parser.nextToken()) != JsonToken.END_ARRAY) {
      items.add(value(token, depth + 1));
    }
    return new Sequence(items, start);
  }

  private Position position() {
    return position(parser.currentTokenLocation());
  }

  private static Position position(@Nullable JsonLocation location) {
    if (location == null) {
      return Position.START; // a limit of the parser, which does not say where
    }
    return new Position(Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
  }
}
