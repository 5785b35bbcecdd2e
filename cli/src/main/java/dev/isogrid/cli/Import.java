package dev.isogrid.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries into a cache, several at a time. Entries that are under way when one fails may be
 * written or not; running the import again is safe, since entries are replaced.
 */
final class Import {
  /** Requests under way: enough to hide the way to the server, few for its connections. */
  private static final int UNDER_WAY_MAX = 16;

  /** Servers take request lines of 4,096 characters; method and version take some of them. */
  private static final int PATH_MAX = 4000;

  private static final String UNKNOWN = "application/unknown";
  private static final String OCTETS = "application/octet-stream";

  private final RestConnection connection;
  private final String cache;
  private final boolean goesOn;
  private final PrintStream err;
  private final boolean keepsBytes;
  private long written;
  private long failed;

  /**
   * Creates an import.
   *
   * @param goesOn whether it goes on after an entry that fails
   * @param err where it reports those then
   */
  Import(RestConnection connection, String cache, boolean goesOn, PrintStream err) {
    this.connection = connection;
    this.cache = cache;
    this.goesOn = goesOn;
    this.err = err;
    String storage =
        JsonText.text(
            connection.send(RestRequest.get(TreePath.CACHES, cache)).object().get("key_storage"));
    this.keepsBytes = storage.isEmpty() || storage.startsWith(UNKNOWN);
  }

  private record Sent(long line, Future<?> reply) {}

  /**
   * Writes all entries.
   *
   * @param position how much of the source is read
   * @param total of the source, in the same unit; below 1 if it is not known
   * @throws CommandFailure if an entry fails, and {@code goesOn} is false
   */
  void run(EntryFile.Source source, LongSupplier position, long total, Progress progress)
      throws IOException {
    Deque<Sent> underWay = new ArrayDeque<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        EntryLine entry;
        while ((entry = next(source)) != null) {
          RestRequest request = request(entry);
          if (underWay.size() == UNDER_WAY_MAX) {
            await(underWay.removeFirst());
          }
          underWay.add(new Sent(source.line(), threads.submit(() -> connection.send(request))));
          progress.at(written, position.getAsLong(), total);
        }
        while (!underWay.isEmpty()) {
          await(underWay.removeFirst());
        }
      } finally {
        underWay.forEach(sent -> sent.reply().cancel(true));
      }
    }
  }

  private static @Nullable EntryLine next(EntryFile.Source source) throws IOException {
    try {
      return source.next();
    } catch (CommandFailure malformed) {
      throw new CommandFailure("line %d: %s".formatted(source.line(), malformed.text()), malformed);
    }
  }

  private RestRequest request(EntryLine entry) {
    if (entry.key().length == 0) {
      return requestWithBody(entry); // a path can't end with nothing
    }
    RestRequest request = requestWithPath(entry);
    return request.pathLength() <= PATH_MAX ? request : requestWithBody(entry);
  }

  /** The key stands before the value in the body, as it is. */
  private RestRequest requestWithBody(EntryLine entry) {
    byte[] key = entry.key();
    byte[] body = Arrays.copyOf(key, key.length + entry.value().length);
    System.arraycopy(entry.value(), 0, body, key.length, entry.value().length);
    return RestRequest.post(TreePath.CACHES, cache)
        .query("action", "put")
        .query("key-length", String.valueOf(key.length))
        .queryIfThere("key-content-type", keyType(entry))
        .queryIfThere("time-to-live-seconds", text(entry.ttl()))
        .queryIfThere("max-idle-time-seconds", text(entry.maxIdle()))
        .headerIfThere("Content-Type", valueType(entry))
        .body(body);
  }

  private @Nullable String keyType(EntryLine entry) {
    return entry.keyType() == null && !keepsBytes ? "text/plain" : entry.keyType();
  }

  private RestRequest requestWithPath(EntryLine entry) {
    RestRequest request = RestRequest.put(TreePath.CACHES, cache);
    String keyType = entry.keyType();
    boolean isOctets = keyType != null && keyType.startsWith(OCTETS);
    byte[] key = entry.key();
    if (isOctets) {
      key = Base64.getUrlEncoder().encodeToString(key).getBytes(StandardCharsets.US_ASCII);
    }
    request.segment(key);
    return request
        .headerIfThere("Key-Content-Type", keyType(entry))
        .headerIfThere("Content-Type", valueType(entry))
        .headerIfThere("timeToLiveSeconds", text(entry.ttl()))
        .headerIfThere("maxIdleTimeSeconds", text(entry.maxIdle()))
        .body(entry.value());
  }

  private @Nullable String valueType(EntryLine entry) {
    String type = entry.valueType();
    return type == null && !keepsBytes ? "text/plain" : type;
  }

  private static @Nullable String text(@Nullable Long number) {
    return number == null ? null : number.toString();
  }

  private void await(Sent sent) {
    try {
      sent.reply().get();
      written++;
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof CommandFailure failure)) {
        throw new IllegalStateException("an import broke down", e);
      }
      failed++;
      String text = "line %d: %s".formatted(sent.line(), failure.text());
      if (!goesOn) {
        throw new CommandFailure(text, failure);
      }
      err.println(text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted: written=" + written, e);
    }
  }

  /** Entries that the server has taken. */
  long written() {
    return written;
  }

  /** Entries that it has refused. */
  long failed() {
    return failed;
  }
}
