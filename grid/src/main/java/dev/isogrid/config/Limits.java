package dev.isogrid.config;

/** The limits of a document, so that a hostile one can fill neither the memory nor the stack. */
final class Limits {
  /** Characters of a document: hundreds of caches fit, and it stays small beside any heap. */
  static final int DOCUMENT_SIZE_MAX = 1 << 20;

  /** Elements within each other. Real documents use about ten; readers recurse this deep. */
  static final int DEPTH_MAX = 32;

  /** Elements and attributes of a document, aliases followed. */
  static final int NODES_MAX = 100_000;

  /** Characters of all names and values, with aliases followed and properties replaced. */
  static final int TEXT_SIZE_MAX = 2 * DOCUMENT_SIZE_MAX;

  /** Uses of YAML aliases in a document. */
  static final int ALIASES_MAX = 64;

  /** Templates that inherit from each other in a row. */
  static final int INHERITANCE_MAX = 16;

  private Limits() {}
}
