package dev.isogrid.server.hotrod;

import dev.isogrid.wire.Opcodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Sends recorded conversations of one group to a server, one after the other, and compares the
 * responses. The values that the recorded server chose (entry versions, ids) are translated.
 */
final class Replay implements AutoCloseable {
  /** Fields that differ between runs, or that depend on the server. */
  private static final Set<String> NOT_COMPARED =
      Set.of(
          "created",
          "last used",
          "previous created",
          "previous last used",
          "entry created",
          "entry last used",
          "iteration id",
          "stream id",
          "topology id",
          "server",
          "owners",
          "stat",
          "operation");

  private static final Set<String> VERSIONS =
      Set.of("version", "previous version", "entry version");

  /** Conversations whose connections, and the listeners on them, are used by the next one. */
  private static final Set<String> GOES_ON =
      Set.of(
          "addListener_includeState",
          "counter_addListener@node1",
          "counter_event@node1",
          "counter_event_bound@node1",
          "counter_event_reset@node1",
          "event_created",
          "event_modified",
          "event_removed",
          "event_expired",
          "addListener_custom",
          "event_custom_created",
          "nearcache_bloom_start",
          "nearcache_get_miss_then_hit",
          "nearcache_invalidate");

  /** The time between two requests. */
  private static final long PAUSE_MILLIS = 100;

  private final TestServer server;
  private final Map<String, String> skipped;
  private final int pieceSize;
  private final Set<Integer> supported = new TreeSet<>();
  private final Map<String, String> versions = new HashMap<>();
  private final Map<Integer, Integer> topologies = new HashMap<>();
  private final Map<String, String> iterations = new HashMap<>();
  private final Map<Integer, Integer> streams = new HashMap<>();
  private final Map<Integer, TestServer.Connection> connections = new TreeMap<>();
  private final HotRodProtocol protocol;

  /** The events received in the current conversation. */
  private final List<String> events = new ArrayList<>();

  /**
   * Begins a group.
   *
   * @param skipped the names of conversations to leave out, with the reasons
   * @param pieceSize the most bytes that are sent at once
   */
  Replay(TestServer server, Map<String, String> skipped, int pieceSize) {
    this.pieceSize = pieceSize;
    this.server = server;
    this.protocol = server.newProtocol();
    this.skipped = skipped;
    for (int operation : RequestLayout.supportedOperations()) {
      supported.add(operation);
    }
    supported.add(Opcodes.PREPARE_TX_2); // refused by both servers, for caches that have none
  }

  /**
   * Replays a conversation.
   *
   * @param problems gets the differences
   * @return false if it was left out
   */
  boolean tryReplay(Vector vector, List<String> problems) {
    List<RecordedRequest> requests =
        vector.messages().stream()
            .filter(message -> message.kind().equals("request"))
            .map(message -> RecordedRequest.read(message.hex()))
            .toList();
    if (skipped.containsKey(vector.name())
        || !requests.stream().allMatch(this::isReplayable)
        || requests.stream().noneMatch(request -> supported.contains(request.operation()))) {
      return false;
    }
    events.clear();
    Map<String, Response> answers = new HashMap<>();
    try {
      Map<String, Response> recorded = recorded(vector);
      for (Vector.Message message : vector.messages()) {
        if (message.kind().equals("request")) {
          RecordedRequest request = RecordedRequest.read(message.hex());
          Response answer = answer(message.connection(), request);
          if (supported.contains(request.operation())) {
            String key = message.connection() + " " + request.id();
            answers.put(key, answer);
            learn(recorded.get(key), answer);
          }
        }
      }
      compare(vector, recorded, answers, problems);
      compareEvents(vector, problems);
    } catch (RuntimeException | AssertionError failure) {
      problems.add(vector.name() + ": " + failure);
    }
    if (!GOES_ON.contains(vector.name())) {
      disconnect();
    }
    return true;
  }

  private void disconnect() {
    connections.values().forEach(TestServer.Connection::close);
    connections.clear();
  }

  private TestServer.Connection connection(int number) {
    TestServer.Connection known = connections.get(number);
    if (known == null || !known.channel.isActive()) {
      known = server.connect(protocol);
      connections.put(number, known);
    }
    return known;
  }

  private Response answer(int number, RecordedRequest request) {
    server.nowMillis += PAUSE_MILLIS;
    TestServer.Connection connection = connection(number);
    connection.send(request.translated(versions, topologies, iterations, streams), pieceSize);
    Response answer = null;
    for (Map.Entry<Integer, TestServer.Connection> each : connections.entrySet()) {
      each.getValue().runPendingTasks();
      WireInput in = new WireInput(each.getValue().received());
      while (in.hasMore()) {
        Response next = Response.read(in, request.version(), request.flagsForReading());
        if (next.isEvent()) {
          events.add(each.getKey() + " " + line(next) + (next.id() == 0 ? "" : " state"));
        } else if (each.getValue() == connection && answer == null) {
          answer = next;
        } else {
          throw new AssertionError("an answer that nobody asked for: " + next);
        }
      }
    }
    return Objects.requireNonNull(answer, "no answer");
  }

  private void compareEvents(Vector vector, List<String> problems) {
    List<String> expected = new ArrayList<>();
    for (Vector.Message message : vector.messages()) {
      if (message.kind().equals("event")) {
        Response event = Response.read(new WireInput(message.bytes()), 0, 0);
        expected.add(message.connection() + " " + line(event) + (event.id() == 0 ? "" : " state"));
      }
    }
    expected.sort(null);
    events.sort(null);
    if (!expected.equals(events)) {
      problems.add("%s%n  expected %s%n  was      %s".formatted(vector.name(), expected, events));
    }
  }

  /** Stores an entry that is not part of a conversation. */
  void put(String cache, String key, String value) {
    try (TestServer.Connection connection = server.connect()) {
      connection.call(
          new RequestBytes(41, 0x01).cache(cache).string(key).defaultExpiry().string(value));
    }
  }

  /** Removes an entry outside of a conversation. */
  void remove(String cache, String key) {
    try (TestServer.Connection connection = server.connect()) {
      connection.call(new RequestBytes(41, 0x0B).cache(cache).string(key));
    }
  }

  /** Defines a bounded counter outside of a conversation. */
  void defineCounter(String name, long lower, long upper, long initial) {
    try (TestServer.Connection connection = server.connect()) {
      RequestBytes request = new RequestBytes(41, 0x4B).string(name).u8(2);
      connection.call(request.i64(lower).i64(upper).i64(initial));
    }
  }

  /** Whether a request can be replayed: also an unsupported one, if its end can be found. */
  private boolean isReplayable(RecordedRequest request) {
    return request.version() >= 20
        && request.version() <= 41
        && RequestLayout.of(request.operation()) != null
        && !request.cache().equals("tx");
  }

  private Map<String, Response> recorded(Vector vector) {
    Map<String, RecordedRequest> requests = new HashMap<>();
    Map<String, Response> responses = new HashMap<>();
    for (Vector.Message message : vector.messages()) {
      if (message.kind().equals("request")) {
        RecordedRequest request = RecordedRequest.read(message.hex());
        requests.put(message.connection() + " " + request.id(), request);
      }
    }
    for (Vector.Message message : vector.messages()) {
      if (message.kind().equals("response")) {
        WireInput header = new WireInput(message.bytes());
        header.u8();
        String key = message.connection() + " " + header.vLong();
        RecordedRequest request = Objects.requireNonNull(requests.get(key));
        if (supported.contains(request.operation())) {
          responses.put(
              key,
              Response.read(
                  new WireInput(message.bytes()), request.version(), request.flagsForReading()));
        }
      }
    }
    return responses;
  }

  /** Notes the names of the same thing on the two servers. */
  private void learn(@Nullable Response recorded, Response answer) {
    if (recorded == null) {
      return;
    }
    for (String name : VERSIONS) {
      List<String> theirs = recorded.all(name);
      List<String> ours = answer.all(name);
      for (int i = 0; i < Math.min(theirs.size(), ours.size()); i++) {
        if (!Set.of("-1", "0").contains(theirs.get(i))) {
          versions.put(inHex(theirs.get(i)), inHex(ours.get(i)));
        }
      }
    }
    if (recorded.has("topology id") && answer.has("topology id")) {
      topologies.put(
          Integer.valueOf(recorded.field("topology id")),
          Integer.valueOf(answer.field("topology id")));
    }
    if (recorded.has("stream id") && answer.has("stream id")) {
      streams.put(
          Integer.valueOf(recorded.field("stream id")), Integer.valueOf(answer.field("stream id")));
    }
    if (recorded.has("iteration id") && answer.has("iteration id")) {
      iterations.put(recorded.field("iteration id"), answer.field("iteration id"));
    }
  }

  private static String inHex(String number) {
    return "%016x".formatted(Long.parseLong(number));
  }

  private static void compare(
      Vector vector,
      Map<String, Response> recorded,
      Map<String, Response> answers,
      List<String> problems) {
    if (!comparable(recorded).equals(comparable(answers))) {
      problems.add(
          "%s%n  expected %s%n  was      %s"
              .formatted(vector.name(), comparable(recorded), comparable(answers)));
    }
  }

  /**
   * The fields that must be equal. Entries of iterations are joined: batches may be cut anywhere.
   */
  private static List<String> comparable(Map<String, Response> responses) {
    List<String> lines = new ArrayList<>();
    Set<String> iterated = new TreeSet<>();
    responses.forEach((key, response) -> {
      if (response.operation() == 0x34 && response.status() == 0) {
        response.fields().stream()
            .filter(field -> field.name().equals("entry"))
            .forEach(field -> iterated.add(field.toString()));
      } else {
        lines.add(key + " " + line(response));
      }
    });
    lines.addAll(iterated);
    lines.sort(null);
    return lines;
  }

  private static String line(Response response) {
    StringBuilder line = new StringBuilder();
    line.append("op=%02x status=%02x".formatted(response.operation(), response.status()));
    line.append(response.hasTopology() ? " topology" : "");
    for (Response.Field field : response.fields()) {
      if (NOT_COMPARED.contains(field.name())) {
        continue;
      }
      line.append(' ').append(field.name()).append('=').append(comparableValue(field));
    }
    return line.toString();
  }

  private static String comparableValue(Response.Field field) {
    String value = field.value();
    if (VERSIONS.contains(field.name())) {
      return value.equals("-1") ? value : "*";
    }
    if (field.name().equals("message")) {
      return value.contains("CacheNotFoundException") ? "CacheNotFoundException" : "*";
    }
    return field.name().equals("result") && value.startsWith("[") ? "*" : value;
  }

  @Override
  public void close() {
    disconnect();
    server.close();
  }
}
