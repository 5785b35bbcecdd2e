package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A REST connection that sends many requests before it reads the first answer. The requests of a
 * call must fit into the buffers of the sockets. Not thread-safe.
 */
final class PipelinedRest implements AutoCloseable {
  /** Far longer than an answer takes on a busy machine. */
  private static final int TIMEOUT_MILLIS = 60_000;

  private final Socket socket = new Socket();
  private final InputStream in;

  PipelinedRest(InetSocketAddress address) throws IOException {
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    socket.connect(address);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /**
   * An answer.
   *
   * @param headers by names in lower case
   */
  record Answer(int status, Map<String, String> headers) {
    /** The entity tag, or the empty text. */
    String tag() {
      return headers.getOrDefault("etag", "");
    }
  }

  /** The text of a request without a body; the headers are whole lines. */
  static String request(String method, String path, String... headers) {
    return head(method, path, headers) + "\r\n";
  }

  /** The text of a PUT of a small value; the headers are whole lines. */
  static String put(String path, String... headers) {
    return head("PUT", path, headers) + "Content-Length: 1\r\n\r\nx";
  }

  private static String head(String method, String path, String... headers) {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: localhost\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.toString();
  }

  /** Sends all requests, and reads their answers. */
  List<Answer> call(List<String> requests) throws IOException {
    socket.getOutputStream().write(String.join("", requests).getBytes(StandardCharsets.ISO_8859_1));
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      answers.add(answer());
    }
    return answers;
  }

  private Answer answer() throws IOException {
    String first = line();
    assertTrue(first.startsWith("HTTP/1.1 "), first);
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(": ");
      headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
    }
    in.skipNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    return new Answer(Integer.parseInt(first.substring(9, 12)), headers);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the server ended the connection: line=" + line);
      }
      line.append((char) c);
    }
    return line.substring(0, line.length() - 1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
