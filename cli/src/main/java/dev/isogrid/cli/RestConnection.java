package dev.isogrid.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one server, one after the other or side by side. Thread-safe. A connection of TCP is
 * made by the first request.
 */
final class RestConnection implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** Longer than any wait of the server for other nodes. */
  private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(60);

  /** Attempts with a new nonce, which the server may have forgotten again under load. */
  private static final int LOGIN_ATTEMPTS_MAX = 5;

  /** The most of an answer that is kept: twice the largest value that a request may write. */
  static final int REPLY_SIZE_MAX = 64 << 20;

  private static final int ERROR_SIZE_MAX = 1 << 16;
  private static final int UNAUTHORIZED = 401;

  private final Target target;
  private final Login login;
  private final HttpClient http;

  /** Connects to nothing yet. */
  RestConnection(Target target, Login login) {
    this.target = target;
    this.login = login;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT);
    if (target.isTls()) {
      builder.sslContext(target.tls().context());
    }
    this.http = builder.build();
  }

  /** The same login at another server of the cluster, which {@code url} is the address of. */
  RestConnection to(URI url) {
    Target other =
        new Target(url, target.user(), target.passwordFile(), target.tokenFile(), target.tls());
    return new RestConnection(other, login.again());
  }

  Target target() {
    return target;
  }

  /**
   * Sends a request and reads the answer in full.
   *
   * @throws CommandFailure if the server can't be reached, refuses, or answers too much
   */
  RestReply send(RestRequest request) {
    return reply(request, exchange(request, REPLY_TIMEOUT));
  }

  /**
   * Sends a request whose body may be of any length, and reads the answer in full.
   *
   * @throws CommandFailure as {@link #send}
   */
  RestReply upload(RestRequest request) {
    return reply(request, exchange(request, null));
  }

  private RestReply reply(RestRequest request, HttpResponse<InputStream> response) {
    try (InputStream body = response.body()) {
      byte[] bytes = body.readNBytes(REPLY_SIZE_MAX + 1);
      if (bytes.length > REPLY_SIZE_MAX) {
        throw new CommandFailure(
            "the answer is too long: request=%s, bytesMax=%d; ask for less"
                .formatted(request.target(), REPLY_SIZE_MAX));
      }
      return new RestReply(
          response.statusCode(), bytes, name -> response.headers().firstValue(name).orElse(null));
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /**
   * Sends a request whose answer may be of any length. The caller closes it.
   *
   * @throws CommandFailure as {@link #send}
   */
  InputStream stream(RestRequest request) {
    return exchange(request, null).body();
  }

  /** Whether a request succeeds: false if the server does not find what it names. */
  boolean exists(RestRequest request) {
    try {
      send(request);
      return true;
    } catch (RestFailure failure) {
      if (failure.isNotFound()) {
        return false;
      }
      throw failure;
    }
  }

  private HttpResponse<InputStream> exchange(RestRequest request, @Nullable Duration timeout) {
    String authorization = login.header(request.method(), request.target());
    for (int attempt = 1; ; attempt++) {
      HttpResponse<InputStream> response = sendOnce(request, authorization, timeout);
      if (response.statusCode() < 300) {
        return response;
      }
      List<String> challenges = response.headers().allValues("www-authenticate");
      boolean mayTry = attempt == 1 || Login.isStale(challenges);
      if (response.statusCode() != UNAUTHORIZED || attempt > LOGIN_ATTEMPTS_MAX || !mayTry) {
        throw refusal(request, response);
      }
      boolean isFirst = authorization == null;
      String answer = login.answer(challenges, request.method(), request.target());
      if (answer == null || (!isFirst && !Login.isStale(challenges))) {
        throw refusal(request, response);
      }
      close(response.body());
      authorization = answer;
    }
  }

  private HttpResponse<InputStream> sendOnce(
      RestRequest request, @Nullable String authorization, @Nullable Duration timeout) {
    HttpRequest built = built(request, authorization, timeout);
    try {
      return http.send(built, BodyHandlers.ofInputStream());
    } catch (HttpTimeoutException e) {
      throw new CommandFailure(
          "no answer: server=%s, waitedSeconds=%d; try again, or another server of the cluster"
              .formatted(target.url(), REPLY_TIMEOUT.toSeconds()),
          e);
    } catch (SSLException e) {
      throw new CommandFailure(
          "no connection by TLS: server=%s, reason=%s; name the server's certificate by"
                  .formatted(target.url(), e.getMessage())
              + " --truststore, and call it by the host that the certificate has",
          e);
    } catch (ConnectException e) {
      throw new CommandFailure(
          "no connection: server=%s; start it, or name another one by connect or -c"
              .formatted(target.url()),
          e);
    } catch (IOException e) {
      throw broken(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted: server=%s".formatted(target.url()), e);
    }
  }

  private HttpRequest built(
      RestRequest request, @Nullable String authorization, @Nullable Duration timeout) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(target.url() + request.target()))
            .method(request.method(), request.publisher())
            .expectContinue(request.isLarge());
    if (timeout != null) {
      builder.timeout(timeout);
    }
    try {
      if (authorization != null) {
        builder.header("Authorization", authorization);
      }
      if (!request.headers().isEmpty()) {
        builder.headers(request.headers().toArray(String[]::new));
      }
      return builder.build();
    } catch (IllegalArgumentException e) { // its message may have the token
      throw new UsageFailure(
          "a media type or a token has characters that a request can't have; correct it", e);
    }
  }

  /** A connection that broke off, or a command that the user ended. */
  CommandFailure broken(IOException reason) {
    if (Thread.currentThread().isInterrupted()
        || reason.getCause() instanceof InterruptedException) {
      return new CommandFailure("interrupted", reason);
    }
    return new CommandFailure(
        "the connection broke off: server=%s, reason=%s; try again, and read the server's log if"
                .formatted(target.url(), reason.getMessage())
            + " it happens again",
        reason);
  }

  private RestFailure refusal(RestRequest request, HttpResponse<InputStream> response) {
    String text;
    try (InputStream body = response.body()) {
      text = new String(body.readNBytes(ERROR_SIZE_MAX), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw broken(e);
    }
    String where = request.method() + " " + request.target();
    return new RestFailure(response.statusCode(), text, where, login.isKnown());
  }

  private static void close(InputStream body) {
    try (body) {
      body.transferTo(OutputStream.nullOutputStream()); // so that the connection is used on
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow(); // without waiting for its threads, which takes a second
  }
}
