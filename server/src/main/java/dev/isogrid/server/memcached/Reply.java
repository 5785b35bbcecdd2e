package dev.isogrid.server.memcached;

import java.nio.charset.StandardCharsets;

/** The fixed replies, as bytes that callers must not change. */
final class Reply {
  static final byte[] STORED = line("STORED");
  static final byte[] NOT_STORED = line("NOT_STORED");
  static final byte[] EXISTS = line("EXISTS");
  static final byte[] NOT_FOUND = line("NOT_FOUND");
  static final byte[] DELETED = line("DELETED");
  static final byte[] TOUCHED = line("TOUCHED");
  static final byte[] END = line("END");
  static final byte[] OK = line("OK");
  static final byte[] MN = line("MN");
  static final byte[] RESET = line("RESET");
  static final byte[] LINE_END = line("");

  static final byte[] ERROR = line("ERROR");
  static final byte[] BAD_FORMAT = line("CLIENT_ERROR bad command line format");
  static final byte[] BAD_DELETE =
      line("CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]");
  static final byte[] BAD_DETAIL = line("CLIENT_ERROR usage: stats detail on|off|dump");
  static final byte[] BAD_DATA = line("CLIENT_ERROR bad data chunk");
  static final byte[] BAD_EXPTIME = line("CLIENT_ERROR invalid exptime argument");
  static final byte[] BAD_DELTA = line("CLIENT_ERROR invalid numeric delta argument");
  static final byte[] NON_NUMERIC =
      line("CLIENT_ERROR cannot increment or decrement non-numeric value");
  static final byte[] UNAUTHENTICATED = line("CLIENT_ERROR unauthenticated");
  static final byte[] LOGIN_FAILED = line("CLIENT_ERROR authentication failure");
  static final byte[] BAD_LOGIN = line("CLIENT_ERROR bad authentication token format");
  static final byte[] BAD_LOGIN_END = line("CLIENT_ERROR bad command line termination");
  static final byte[] NOT_PERMITTED = line("CLIENT_ERROR not permitted");
  static final byte[] OUT_OF_MEMORY = line("SERVER_ERROR out of memory storing object");
  static final byte[] TOO_LARGE = line("SERVER_ERROR object too large for cache");

  /** The longest message of a failure for clients; keeps replies to one packet. */
  private static final int MESSAGE_LENGTH_MAX = 1000;

  private Reply() {}

  /** The bytes of an ASCII text. */
  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The bytes of an ASCII text and the end of the line. */
  static byte[] line(String text) {
    return ascii(text + "\r\n");
  }

  /** The reply to a command that failed on the server's side. */
  static byte[] serverError(RuntimeException failure) {
    return line("SERVER_ERROR " + message(failure));
  }

  /** The message of a failure on the server's side. */
  static String message(RuntimeException failure) {
    String message = String.valueOf(failure.getMessage());
    String text = message.substring(0, Math.min(message.length(), MESSAGE_LENGTH_MAX));
    return text.replaceAll("\\p{Cntrl}", " ");
  }
}
