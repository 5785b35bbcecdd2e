package dev.isogrid.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A REST client of a user, which sends the password with each request. Not thread-safe. */
final class RestCaller implements AutoCloseable {
  /** Far longer than an answer takes on a busy machine. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient client;
  private final InetSocketAddress address;
  private final String authorization;
  private String flags = "";
  private HttpClient.@Nullable Version spoken;

  /**
   * Creates a caller.
   *
   * @param user empty for none
   */
  RestCaller(InetSocketAddress address, String user, String password) {
    this(address, user, password, HttpClient.Version.HTTP_1_1);
  }

  /** Creates a caller that speaks a version of HTTP, if the server does. */
  RestCaller(InetSocketAddress address, String user, String password, HttpClient.Version version) {
    this.client = HttpClient.newBuilder().version(version).build();
    this.address = address;
    byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    this.authorization = user.isEmpty() ? "" : "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  /** Sets the header {@code flags} of the following requests; empty for none. */
  RestCaller flags(String flags) {
    this.flags = flags;
    return this;
  }

  /** Sends a request and waits for the answer. */
  HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    return client.send(request(method, path, body), BodyHandlers.ofString());
  }

  /** Sends a request whose answer may have no end, waits for its head, and ends it. */
  int status(String method, String path, String body) throws IOException, InterruptedException {
    HttpResponse<InputStream> answer =
        client.send(request(method, path, body), BodyHandlers.ofInputStream());
    answer.body().close();
    spoken = answer.version();
    return answer.statusCode();
  }

  /** The version of HTTP of the last answer of {@link #status}, or null. */
  HttpClient.@Nullable Version spoken() {
    return spoken;
  }

  private HttpRequest request(String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://%s:%d%s"
                        .formatted(address.getAddress().getHostAddress(), address.getPort(), path)))
            .timeout(TIMEOUT)
            .method(method, BodyPublishers.ofString(body));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    if (!flags.isEmpty()) {
      request.header("flags", flags);
    }
    return request.build();
  }

  @Override
  public void close() {
    client.close();
  }
}
