package dev.isogrid.config;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Parses the text of a document of any format into its tree. */
final class Document {
  private Document() {}

  /**
   * Reads a document.
   *
   * @param format null to detect it from the text
   * @return an element without a name that has the parts of the top level
   * @throws InvalidRequestException if the text is not such a document or exceeds a limit
   * @throws FatalGridException if the library that reads the format is missing
   */
  static Element read(String text, @Nullable DocumentFormat format, PropertyLookup lookup) {
    return read(text, format, lookup, null);
  }

  /**
   * As {@link #read(String, DocumentFormat, PropertyLookup)}.
   *
   * @param folder of the files that a document in XML may include; null if it may include none
   */
  static Element read(
      String text, @Nullable DocumentFormat format, PropertyLookup lookup, @Nullable Path folder) {
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
        case XML ->
            XmlReader.read(
                document, budget, properties, folder == null ? null : Includes.of(folder));
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
   * The text of a document from bytes.
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
