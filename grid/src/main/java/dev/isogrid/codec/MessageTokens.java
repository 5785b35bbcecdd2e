package dev.isogrid.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.descriptors.Descriptor;
import org.infinispan.protostream.descriptors.FieldDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Checks the tokens of JSON that becomes a message: refuses what it could keep in part only. That
 * is text with half of a surrogate pair, and a name that an object has twice, unless it is that of
 * a repeated field. For one text by one thread.
 */
final class MessageTokens {
  /** The member with the name of the object's type. */
  private static final String TYPE = "_type";

  private static final int NAME_SHOWN_MAX = 100;

  /** An object around the token. */
  private static final class Level {
    /** The type of the message; in a map that of its values; null if it is not known. */
    @Nullable Descriptor type;

    final boolean isMap;
    final Set<String> names = new HashSet<>();

    /** The latest name. */
    String name = "";

    Level(@Nullable Descriptor type, boolean isMap) {
      this.type = type;
      this.isMap = isMap;
    }

    @Nullable FieldDescriptor field() {
      Descriptor message = type;
      return message == null || isMap ? null : message.findFieldByName(name);
    }

    /** The object that is the value of the latest name, or of an array there. */
    Level inner() {
      if (isMap) {
        return new Level(type, false);
      }
      FieldDescriptor field = field();
      return field == null
          ? new Level(null, false)
          : new Level(field.getMessageType(), field.isMap());
    }
  }

  private final SerializationContext context;

  /** The objects around the token; the parser limits the depth. */
  private final Deque<Level> levels = new ArrayDeque<>();

  MessageTokens(SerializationContext context) {
    this.context = context;
  }

  /**
   * Checks the next token.
   *
   * @throws InvalidRequestException if it has half of a surrogate pair, or repeats a name
   */
  void check(JsonToken token, JsonParser parser) throws IOException {
    switch (token) {
      case START_OBJECT -> {
        Level outer = levels.peek();
        levels.push(outer == null ? new Level(null, false) : outer.inner());
      }
      case END_OBJECT -> levels.pop();
      case FIELD_NAME -> onName(levels.element(), parser);
      case VALUE_STRING -> onText(levels.peek(), parser);
      default -> {}
    }
  }

  private static void onName(Level level, JsonParser parser) throws IOException {
    level.name = parser.currentName();
    checkPairs(level.name, parser);
    if (level.names.add(level.name)) {
      return;
    }
    FieldDescriptor field = level.field();
    if (field == null || field.isMap() || !field.isRepeated()) {
      String shown =
          level.name.length() <= NAME_SHOWN_MAX
              ? level.name
              : level.name.substring(0, NAME_SHOWN_MAX) + "...";
      throw new InvalidRequestException(
          "name twice in one object: name=%s, %s; leave one of them out"
              .formatted(shown, place(parser)));
    }
  }

  private void onText(@Nullable Level level, JsonParser parser) throws IOException {
    String text = parser.getText();
    checkPairs(text, parser);
    if (level != null && !level.isMap && level.name.equals(TYPE)) {
      level.type =
          context.getGenericDescriptors().get(text) instanceof Descriptor type ? type : null;
    }
  }

  private static void checkPairs(String text, JsonParser parser) {
    int position = 0;
    while (position < text.length()) {
      int at = text.codePointAt(position);
      if (at >= Character.MIN_SURROGATE && at <= Character.MAX_SURROGATE) {
        throw new InvalidRequestException(
            "half of a surrogate pair has no form in UTF-8: unit=%04x, %s; send both halves"
                .formatted(at, place(parser)));
      }
      position += Character.charCount(at);
    }
  }

  private static String place(JsonParser parser) {
    var at = parser.currentTokenLocation();
    return "line=%d, column=%d".formatted(at.getLineNr(), at.getColumnNr());
  }
}
