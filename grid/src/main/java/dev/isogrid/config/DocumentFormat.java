package dev.isogrid.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The formats of configuration documents. */
public enum DocumentFormat {
  /** Elements and attributes in kebab-case. */
  XML("application/xml"),
  /** An object is an element, any other member an attribute; kebab-case. */
  JSON("application/json"),
  /** As JSON; camelCase. */
  YAML("application/yaml");

  private final String mediaType;

  DocumentFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  /** The media type of documents of this format. */
  public String mediaType() {
    return mediaType;
  }

  /**
   * The format of a media type, or null if it is not one of configuration documents.
   *
   * @param mediaType in any case; parameters are ignored
   */
  public static @Nullable DocumentFormat ofMediaType(String mediaType) {
    int semicolon = mediaType.indexOf(';');
    String type = semicolon < 0 ? mediaType : mediaType.substring(0, semicolon);
    return switch (type.strip().toLowerCase(Locale.ROOT)) {
      case "application/xml", "text/xml" -> XML;
      case "application/json", "text/json" -> JSON;
      case "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml" -> YAML;
      default -> null;
    };
  }

  /** The probable format of a document, by its first character that is not blank. */
  public static DocumentFormat sniff(String document) {
    for (int i = 0; i < document.length(); i++) {
      char c = document.charAt(i);
      if (c == '<') {
        return XML;
      }
      if (c == '{') {
        return JSON;
      }
      if (c != '\uFEFF' && !Character.isWhitespace(c)) {
        return YAML;
      }
    }
    return YAML;
  }
}
