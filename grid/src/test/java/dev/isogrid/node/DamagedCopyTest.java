package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Fsync;
import dev.isogrid.journal.StoredFiles;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two replicas come back, and the disk of one has less than it had. */
class DamagedCopyTest {
  private static final String CACHE = "orders";
  private static final int RECORD_LENGTH = 4;
  private static final int HEADER_LENGTH = 12;
  private static final int RECORD_KIND = 20;
  private static final int MARK = 4;

  @TempDir private Path folder;

  private final StoredNodes nodes = new StoredNodes();

  @AfterEach
  void close() {
    nodes.close();
  }

  private static Cache<String, String> cache(Node node) {
    return requireNonNull(node.findCache(CACHE));
  }

  private static boolean isBalanced(Node node) {
    Topology known = requireNonNull(node.topology());
    List<SegmentOwners> segments = known.segmentsOf(requireNonNull(known.cache(CACHE)).group());
    return segments.stream().allMatch(each -> each.isr().size() == 2 && each.learners().isEmpty());
  }

  /** Has two nodes write something, kills both, and returns copies of their folders. */
  private List<Path> write(String last, Consumer<Cache<String, String>> writes) throws IOException {
    Node a = nodes.start("a", folder.resolve("a"));
    Node b = nodes.start("b", folder.resolve("b"));
    CacheConfig config =
        ClusterStoreTest.config(CacheMode.REPL_SYNC, Fsync.EACH).toBuilder().segments(1).build();
    Cache<String, String> cache = a.cache(CACHE, config);
    Await.until("copies", () -> isBalanced(a));
    writes.accept(cache);
    Map<String, String> written = new TreeMap<>(cache);
    Await.until("applied", () -> written.equals(new TreeMap<>(cache(b))));
    for (String name : List.of("a", "b")) {
      Await.until("a force", () -> isForced(journal(folder.resolve(name)), last));
    }
    List<Path> left = new ArrayList<>();
    List<Node> both = List.of(a, b);
    both.forEach(node -> nodes.network().cutOff(node.calls().self()));
    for (String name : List.of("a", "b")) {
      left.add(StoredNodes.copy(folder.resolve(name), folder.resolve(name + "-left")));
    }
    nodes.kill(both);
    return left;
  }

  private static Path store(Path data) {
    return data.resolve("stores").resolve(CACHE);
  }

  private static Path journal(Path data) {
    return store(data).resolve("journal-0000000000000001.log");
  }

  /** Where the records of a file begin, and where the zeros behind them do. */
  private static List<Integer> offsets(byte[] file) {
    ByteBuffer view = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> offsets = new ArrayList<>();
    int at = view.getInt(HEADER_LENGTH);
    while (at + RECORD_LENGTH + Integer.BYTES <= file.length
        && view.getInt(at + RECORD_LENGTH) > 0) {
      offsets.add(at);
      at += view.getInt(at + RECORD_LENGTH);
    }
    offsets.add(at);
    return offsets;
  }

  /** Whether a file has some text, and says at its end that all before was forced. */
  private static boolean isForced(Path journal, String text) throws IOException {
    byte[] file = Files.readAllBytes(journal);
    List<Integer> offsets = offsets(file);
    int lastRecord = offsets.get(Math.max(0, offsets.size() - 2));
    return new String(file, StandardCharsets.ISO_8859_1).contains(text)
        && file[lastRecord + RECORD_KIND] == MARK;
  }

  private List<Map<String, String>> restart(List<Path> left) throws Exception {
    CompletableFuture<Node> a = nodes.begin("a", left.getFirst());
    CompletableFuture<Node> b = nodes.begin("b", left.getLast());
    List<Map<String, String>> contents = new ArrayList<>();
    for (CompletableFuture<Node> each : List.of(a, b)) {
      Node node = each.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      Await.until("copies", () -> isBalanced(node));
    }
    for (CompletableFuture<Node> each : List.of(a, b)) {
      contents.add(new TreeMap<>(ownCopy(each.join())));
    }
    return contents;
  }

  /** Reads the entries of a node, each from its own copy. */
  private static Map<String, String> ownCopy(Node node) {
    Map<String, String> found = new TreeMap<>();
    for (String key : List.of("first", "k", "x", "y", "z")) {
      String value = cache(node).get(key);
      if (value != null) {
        found.put(key, value);
      }
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void putAll_ofWhichOneDiskHasAPart_isOnBothOrNone(int lost) throws Exception {
    List<Path> left =
        write(
            "together",
            cache -> {
              cache.put("first", "1");
              cache.putAll(Map.of("x", "together", "y", "together", "z", "together"));
            });
    Path journal = journal(left.getFirst());
    byte[] bytes = Files.readAllBytes(journal);
    List<Integer> offsets = offsets(bytes);
    int end = offsets.get(offsets.size() - 1 - lost);
    Files.write(journal, Arrays.copyOf(bytes, end));

    List<Map<String, String>> contents = restart(left);
    Map<String, String> all =
        Map.of("first", "1", "x", "together", "y", "together", "z", "together");
    assertEquals(List.of(all, all), contents);
  }

  @Test
  void repairedStore_isUsedOnlyIfNobodyHasMore() throws Exception {
    List<Path> left =
        write(
            "final",
            cache -> {
              cache.put("first", "1");
              cache.put("k", "older");
              cache.put("k", "newer");
              cache.put("x", "final");
            });
    Path journal = journal(left.getFirst());
    byte[] bytes = Files.readAllBytes(journal);
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("newer");
    assertTrue(at > 0);
    bytes[at] ^= 1;
    Files.write(journal, bytes);
    StoredFiles.Repaired repaired = new StoredFiles(store(left.getFirst())).repair();
    assertTrue(repaired.lostBytes() > 0);

    Map<String, String> all = Map.of("first", "1", "k", "newer", "x", "final");
    assertEquals(List.of(all, all), restart(left));
  }

  @Test
  void twoRepairedStores_haveTheSameAfterwards() throws Exception {
    List<Path> left =
        write(
            "lost",
            cache -> {
              for (int i = 0; i < 100; i++) {
                cache.put("first", "1");
              }
              cache.put("k", "older");
              cache.put("k", "newer");
              cache.put("x", "lost");
            });
    for (int i = 0; i < 2; i++) {
      Path journal = journal(left.get(i));
      byte[] bytes = Files.readAllBytes(journal);
      int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(i == 0 ? "newer" : "lost");
      bytes[at] ^= 1;
      Files.write(journal, bytes);
      StoredFiles.Repaired _ = new StoredFiles(store(left.get(i))).repair();
    }
    List<Map<String, String>> contents = restart(left);
    assertEquals(contents.getFirst(), contents.getLast());
    assertEquals("1", contents.getFirst().get("first"));
  }
}
