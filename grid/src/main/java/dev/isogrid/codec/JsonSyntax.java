package dev.isogrid.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Checks whether text is JSON. Stateless and thread-safe. */
final class JsonSyntax {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private JsonSyntax() {}

  /**
   * Refuses what is not exactly one value of JSON.
   *
   * @throws InvalidRequestException if it is not; the message names the place
   */
  static void check(String text) {
    check(text, null);
  }

  /**
   * The same, with a check of each token.
   *
   * @param tokens null for none
   */
  static void check(String text, @Nullable MessageTokens tokens) {
    int depth = 0;
    int values = 0;
    try (JsonParser parser = FACTORY.createParser(text)) {
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        values += depth == 0 ? 1 : 0;
        if (tokens != null) {
          tokens.check(token, parser);
        }
      }
    } catch (IOException e) {
      throw new InvalidRequestException(
          "not JSON: length=%d, %s".formatted(text.length(), why(e)), e);
    }
    if (values != 1) {
      throw new InvalidRequestException(
          "not JSON: length=%d, values=%d; one is expected".formatted(text.length(), values));
    }
  }

  /** The first line, which names the place but shows nothing of the text around it. */
  private static String why(IOException failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}
