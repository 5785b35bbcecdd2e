package dev.isogrid.server;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** The protocol that the first bytes of a connection show. */
enum Detection {
  /** Too few bytes so far. */
  UNDECIDED,
  /** The magic byte of a Hot Rod request. */
  HOT_ROD,
  /** A method of HTTP/1.1 and a blank. */
  HTTP,
  /** The first line of HTTP/2's preface. */
  HTTP2,
  /** A command of memcached's text protocol. */
  MEMCACHED,
  /** The magic byte of memcached's binary protocol. */
  MEMCACHED_BINARY,
  /** The array that begins each request of RESP. */
  RESP,
  /** The record that begins a TLS handshake. */
  TLS,
  /** None of these. */
  UNKNOWN;

  /** The number of bytes that suffice for a decision. */
  static final int LENGTH_MAX = 16;

  private static final int HOT_ROD_MAGIC = 0xA0;
  private static final int MEMCACHED_MAGIC = 0x80;
  private static final int TLS_HANDSHAKE = 0x16;
  private static final String HTTP2_PREFACE = "PRI * HTTP/2.0\r\n";

  private static final Set<String> METHODS =
      Set.of("GET", "PUT", "POST", "HEAD", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT");

  private static final Set<String> COMMANDS =
      Set.of(
          "get",
          "gets",
          "gat",
          "gats",
          "bget",
          "set",
          "add",
          "replace",
          "append",
          "prepend",
          "cas",
          "incr",
          "decr",
          "touch",
          "delete",
          "flush_all",
          "stats",
          "version",
          "verbosity",
          "quit",
          "watch",
          "slabs",
          "lru",
          "lru_crawler",
          "cache_memlimit",
          "shutdown",
          "mn",
          "mg",
          "ms",
          "md",
          "ma",
          "me");

  /**
   * Inspects the first bytes of a connection.
   *
   * @param input the received bytes, from its reader index; borrowed and unchanged
   */
  static Detection of(ByteBuf input) {
    int length = Math.min(input.readableBytes(), LENGTH_MAX);
    if (length == 0) {
      return UNDECIDED;
    }
    return switch (input.getUnsignedByte(input.readerIndex())) {
      case HOT_ROD_MAGIC -> HOT_ROD;
      case MEMCACHED_MAGIC -> MEMCACHED_BINARY;
      case TLS_HANDSHAKE -> TLS;
      case '*' -> RESP;
      default -> ofText(input.toString(input.readerIndex(), length, StandardCharsets.ISO_8859_1));
    };
  }

  private static Detection ofText(String text) {
    int end = 0;
    while (end < text.length() && isPartOfWord(text.charAt(end))) {
      end++;
    }
    String word = text.substring(0, end);
    if (end == text.length()) {
      return end < LENGTH_MAX && isBeginOfWord(word) ? UNDECIDED : UNKNOWN;
    }
    char next = text.charAt(end);
    if (next == ' ' && METHODS.contains(word)) {
      return HTTP;
    }
    if ((next == ' ' || next == '\r' || next == '\n') && COMMANDS.contains(word)) {
      return MEMCACHED;
    }
    if (HTTP2_PREFACE.startsWith(text)) {
      return text.length() == HTTP2_PREFACE.length() ? HTTP2 : UNDECIDED;
    }
    return UNKNOWN;
  }

  private static boolean isPartOfWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private static boolean isBeginOfWord(String word) {
    return HTTP2_PREFACE.startsWith(word)
        || METHODS.stream().anyMatch(method -> method.startsWith(word))
        || COMMANDS.stream().anyMatch(command -> command.startsWith(word));
  }
}
