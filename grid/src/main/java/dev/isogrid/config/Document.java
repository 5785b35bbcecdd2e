package dev.isogrid.config;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Turns the text of a document of any format into its tree. */
final class Document {
  private Document() {}

  /**
   * Reads a document.
   *
   * @param format null to find it out from the text
   * @return an element without a name that holds what stands at the top level
   * @throws InvalidRequestException if the text is not such a document or exceeds a limit
   * @throws FatalGridException if the library that reads the format is missing
   */
  static Element read(String text, @Nullable DocumentFormat format, PropertyLookup lookup) {
    if (text.length() > Limits.DOCUMENT_SIZE_MAX) {
      throw Complaint.tooLarge("length", Limits.DOCUMENT_SIZE_MAX, Position.START);
    }
    String document = text.startsWith("\uFEFF") ? text.substring(1) : text;
    if (document.isBlank()) {
      throw Complaint.malformed("document is empty", Position.START);
    }
    DocumentFormat actual = format == null ? DocumentFormat.sniff(document) : format;
    Budget budget = new Budget();
    PropertyExpansion properties = new PropertyExpansion(lookup, budget);
    try {
      return switch (actual) {
        case XML -> XmlReader.read(document, budget, properties);
        case JSON -> new ValueTree(budget, properties).document(JsonReader.read(document));
        case YAML -> new ValueTree(budget, properties).document(YamlReader.read(document));
      };
    } catch (NoClassDefFoundError e) {
      String library = actual == DocumentFormat.JSON ? "jackson-core" : "snakeyaml-engine";
      throw new FatalGridException(
          "configuration document can't be read: format=%s; add %s to the class path"
              .formatted(actual, library),
          e);
    }
  }

  /**
   * The text of a document that came as bytes.
   *
   * @throws InvalidRequestException if it is not UTF-8, or too large
   */
  static String decode(byte[] utf8) {
    if (utf8.length > Limits.DOCUMENT_SIZE_MAX) {
      throw Complaint.tooLarge("length", Limits.DOCUMENT_SIZE_MAX, Position.START);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw Complaint.malformed("bytes are not UTF-8", Position.START, e);
    }
  }
}
