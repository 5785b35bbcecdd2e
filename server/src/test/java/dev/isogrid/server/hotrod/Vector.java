package dev.isogrid.server.hotrod;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * A recorded conversation.
 *
 * @param group vectors of one group were recorded in sequence with the same server
 */
record Vector(String name, int group, List<Message> messages) {
  /**
   * A request, response or event.
   *
   * @param connection distinguishes the connections of a conversation
   */
  record Message(String kind, int connection, String hex) {
    byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }
  }

  /** All recorded conversations, in order. */
  static List<Vector> readAll() throws IOException {
    List<Vector> vectors = new ArrayList<>();
    try (InputStream file =
            Objects.requireNonNull(Vector.class.getResourceAsStream("/hotrod-vectors.json"));
        JsonParser json = new JsonFactory().createParser(file)) {
      while (!"vectors".equals(json.nextFieldName())) {
        // the text before is for human readers
      }
      json.nextToken();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        vectors.add(readOne(json));
      }
    }
    return vectors;
  }

  private static Vector readOne(JsonParser json) throws IOException {
    String name = "";
    int group = 0;
    List<Message> messages = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case "name" -> name = json.getText();
        case "group" -> group = json.getIntValue();
        case "messages" -> {
          while (json.nextToken() == JsonToken.START_OBJECT) {
            messages.add(readMessage(json));
          }
        }
        default -> throw new IOException("unknown field: " + field);
      }
    }
    return new Vector(name, group, messages);
  }

  private static Message readMessage(JsonParser json) throws IOException {
    String kind = "";
    int connection = 0;
    String hex = "";
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case "dir" -> kind = json.getText();
        case "conn" -> connection = json.getIntValue();
        case "hex" -> hex = json.getText();
        default -> throw new IOException("unknown field: " + field);
      }
    }
    return new Message(kind, connection, hex);
  }
}
