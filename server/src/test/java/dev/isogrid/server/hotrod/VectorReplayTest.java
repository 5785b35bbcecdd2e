package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sends the requests of recorded conversations and compares the responses with the recorded ones,
 * field by field. Fields that differ between runs, and conversations with unsupported features, are
 * left out.
 */
class VectorReplayTest {
  /** Raise it when more can be replayed; a lower number means a loss. */
  private static final int REPLAYED = 345;

  private static final int GROUPS = 4;

  private static final String SCHEMA =
      "package p; message M { optional string f = 1; optional int32 n = 2; }";

  private static final String AUTHENTICATION = "needs authentication";
  private static final String JUNK = "the other server went on after bytes that are no request";
  private static final String QUERIES = "needs queries";

  private static final Map<String, String> SKIPPED =
      Map.ofEntries(
          Map.entry("admin_create", "the other server could not keep caches"),
          Map.entry("auth_disabled", "the other server answers with an operation of its own"),
          Map.entry("bad_timeunit_v41", JUNK),
          Map.entry("bad_mt_id", JUNK),
          Map.entry("cluster_node1_stop@node0", "a node leaves"),
          Map.entry("mm_put_v41_dups", "the other server fails on values of both kinds"),
          Map.entry("getStream_off4_v31", "the other server begins at the first byte"),
          Map.entry("putStream_v41_old_op", "the other server refuses this in 4.1"),
          Map.entry("startGetStream_v31", "the other server does not answer this before 4.0"),
          Map.entry("stream_put_force_v41", "the other server sends what no client reads"),
          Map.entry("continuous_query_add", QUERIES),
          Map.entry("continuous_query_event", QUERIES),
          Map.entry("auth_SCRAM-SHA-256", AUTHENTICATION),
          Map.entry("auth_PLAIN", AUTHENTICATION),
          Map.entry("auth_wrong_password", AUTHENTICATION),
          Map.entry("auth_unauthenticated_get", AUTHENTICATION),
          Map.entry("auth_bad_mech", AUTHENTICATION),
          Map.entry("js_auth_scram", AUTHENTICATION));

  @ParameterizedTest
  @ValueSource(ints = {1, 7, Integer.MAX_VALUE})
  void replay_inPiecesOfAnySize_answersTheSame(int pieceSize) throws IOException {
    List<Vector> vectors = Vector.readAll();
    List<String> problems = new ArrayList<>();
    int replayed = 0;
    for (int group = 0; group < GROUPS; group++) {
      try (Replay replay = new Replay(server(), SKIPPED, pieceSize)) {
        for (Vector vector : vectors) {
          if (vector.group() != group) {
            continue;
          }
          if (vector.name().equals("iteration_v23")) {
            replay.put("octet", "i1", "v1"); // what this and the later ones find was not recorded
            replay.put("octet", "i2", "v2");
          }
          if (vector.name().equals("addListener_includeState")) {
            replay.remove("ps", wrapped("s1")); // it was streamed, and then gone
          }
          if (vector.name().equals("counter_addListener@node1")) {
            replay.defineCounter("cs", 0, 10, 9); // as above
          }
          if (vector.name().equals("json_put")) { // nor was what schemas there are
            replay.put("___protobuf_metadata", wrapped("m.proto"), wrapped(SCHEMA));
          }
          if (replay.tryReplay(vector, problems)) {
            replayed++;
          }
        }
      }
    }
    assertEquals(List.of(), problems, () -> String.join("\n", problems));
    assertEquals(REPLAYED, replayed);
  }

  /** A short text in the form of ProtoStream. */
  private static String wrapped(String text) {
    return "J" + (char) text.length() + text;
  }

  /** The caches of the recorded servers. */
  private static TestServer server() {
    return new TestServer()
        .withEncoding("ps", "application/x-protostream")
        .withEncoding("text", "text/plain")
        .withEncoding("textcs", "text/plain; charset=ISO-8859-1")
        .withEncoding("obj", "application/x-java-object")
        .withSchemas()
        .withEncoding("octet", "application/octet-stream")
        .with("opaque")
        .with(
            "exp", TestServer.config().lifespan(60, TimeUnit.SECONDS).maxIdle(30, TimeUnit.SECONDS))
        .with("dist8", clustered(CacheMode.DIST_SYNC, 8))
        .with("dist256", clustered(CacheMode.DIST_SYNC, 256))
        .with("repl", clustered(CacheMode.REPL_SYNC, 4))
        .with("inv", CacheMode.INVALIDATION_SYNC, 256)
        .with("local");
  }

  private static CacheConfig.Builder clustered(CacheMode mode, int segments) {
    String protoStream = "application/x-protostream";
    return TestServer.config().mode(mode).segments(segments).encoding(protoStream, protoStream);
  }
}
