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

/** A user of REST, who sends the password with each request. Not thread-safe. */
final class RestCaller implements AutoCloseable {
  /** Far more than an answer takes, on a machine that is busy. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final InetSocketAddress address;
  private final String authorization;
  private String flags = "";

  /**
   * Creates a caller.
   *
   * @param user empty for one who does not log in
   */
  RestCaller(InetSocketAddress address, String user, String password) {
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
    return answer.statusCode();
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
