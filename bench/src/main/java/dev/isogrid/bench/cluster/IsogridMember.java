package dev.isogrid.bench.cluster;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Collector;
import dev.isogrid.api.EntryBytes;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.KeyAffinity;
import dev.isogrid.api.LongCombiner;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.StorageType;
import dev.isogrid.node.ClusterCounts;
import dev.isogrid.node.Node;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node of this product. */
final class IsogridMember implements ClusterMember {
  /** The part of its fair share of segments that each member has once no segment must move. */
  private static final double SHARE_MIN = 0.9;

  private final Node node;
  private final Cache<String, byte[]> cache;
  private final Cache<String, Long> numbers;
  private final Cache<String, String> texts;
  private final KeyAffinity<String> affinity;
  private final boolean isDistributed;

  private IsogridMember(Node node, CacheKind kind) {
    this.node = node;
    this.isDistributed = kind.isDistributed();
    CacheConfig config = config(kind);
    this.cache = node.cache(CACHE, config);
    this.numbers = node.cache(NUMBERS, config);
    this.texts = node.cache(TEXTS, textConfig(kind, config));
    this.affinity = node.keyAffinity(TEXTS, () -> "");
  }

  /** The configuration with storage as bytes, also for local caches: clusters store bytes too. */
  private static CacheConfig textConfig(CacheKind kind, CacheConfig config) {
    return kind == CacheKind.LOCAL
        ? CacheConfig.builder().storage(StorageType.HEAP_BINARY).build()
        : config;
  }

  private static CacheConfig config(CacheKind kind) {
    CacheConfig.Builder config = CacheConfig.builder();
    if (kind.isDistributed()) {
      config.mode(CacheMode.DIST_SYNC).owners(OWNERS);
    }
    if (kind.isOffHeap()) {
      config.storage(StorageType.OFF_HEAP);
    }
    return switch (kind) {
      case LOCAL_OBJECTS -> config.storage(StorageType.HEAP_OBJECT).build();
      case LOCAL_ONE_SEGMENT -> config.segments(1).build();
      default -> config.build();
    };
  }

  static IsogridMember open(String name, int port, List<Integer> seeds, CacheKind kind) {
    GridConfig.Builder grid = GridConfig.builder().nodeName(name);
    if (!kind.isDistributed()) {
      return new IsogridMember((Node) Grid.start(grid.build()), kind);
    }
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(seeds.stream().map(seed -> "127.0.0.1:" + seed).toList())
            .found(port == seeds.getFirst())
            .build();
    return new IsogridMember((Node) Grid.start(grid.cluster(cluster).build()), kind);
  }

  @Override
  public ConcurrentMap<String, byte[]> cache() {
    return cache;
  }

  @Override
  public void set(String key, byte[] value) {
    cache.putAll(Map.of(key, value));
  }

  @Override
  public MemberCounts counts() {
    ClusterCounts counts = node.clusterCounts();
    return new MemberCounts(0, counts.sentMessages(), counts.sentBytes(), counts.lockWaits());
  }

  @Override
  public ConcurrentMap<String, Long> numbers() {
    return numbers;
  }

  @Override
  public ConcurrentMap<String, String> texts() {
    return texts;
  }

  @Override
  public long mapReduceWords() {
    return countingWords().execute(WordTexts::digest);
  }

  /** The map/reduce whose result is the counts. */
  MapReduceTask<String, Long> countingWords() {
    return node.mapReduce(texts)
        .mappedWith(IsogridMember::map)
        .combinedWith(Long::sum)
        .reducedWith(IsogridMember::reduce);
  }

  /**
   * The same, but slow: each text is split several times, and emitted the last time.
   *
   * @param passes the number of splits, 1 or more
   */
  MapReduceTask<String, Long> countingSlowly(int passes) {
    return node.<String, String>mapReduce(texts)
        .<String, Long>mappedWith((key, text, out) -> {
          long[] seen = {0};
          for (int i = 1; i < passes; i++) {
            WordTexts.split(text, (word, one) -> seen[0] += one + word.length());
          }
          if (seen[0] >= 0) { // always; so that no compiler leaves out what is above
            map(key, text, out);
          }
        })
        .combinedWith(Long::sum)
        .reducedWith(IsogridMember::reduce);
  }

  private static void map(String key, String text, Collector<String, Long> out) {
    WordTexts.split(text, out::emit);
  }

  private static Long reduce(String word, Iterator<Long> counts) {
    return WordTexts.sum(counts);
  }

  @Override
  public long mapReduceBytes() {
    return countingByBytes().execute(WordTexts::digest);
  }

  /** The same with a mapper that reads bytes in place. */
  MapReduceTask<String, Long> countingByBytes() {
    return node.mapReduce(texts)
        .mappedByBytesWith(IsogridMember::mapBytes)
        .combinedWith(LongCombiner.SUM)
        .reducedWith(IsogridMember::reduce);
  }

  /**
   * A map/reduce that emits a pair for each word, none of which can be combined.
   *
   * @param keyLength characters of a key, at least
   */
  MapReduceTask<String, Long> expanding(int keyLength) {
    return node.<String, String>mapReduce(texts)
        .<String, Long>mappedWith((key, text, out) -> expand(key, text, keyLength, out))
        .combinedWith(Long::sum);
  }

  private static void expand(String key, String text, int keyLength, Collector<String, Long> out) {
    String rest = "-".repeat(keyLength);
    int[] number = {0};
    WordTexts.split(
        text,
        (_, one) -> {
          String head = key + '/' + number[0]++;
          out.emit(head + rest.substring(Math.min(head.length(), keyLength)), one);
        });
  }

  private static void mapBytes(ByteBuffer key, ByteBuffer value, Collector<String, Long> out) {
    int end = value.limit();
    int begin = 1;
    while (value.get(begin++) < 0) {
      // a byte of the text's length that is not the last one
    }
    while (begin < end) {
      int at = begin;
      while (at < end && value.get(at) != ' ') {
        at++;
      }
      out.emitText(value, begin, at - begin, 1L);
      begin = at + 1;
    }
  }

  @Override
  public int nodes() {
    Topology topology = node.topology();
    return topology == null ? 1 : topology.members().size();
  }

  @Override
  public String primary(String key) {
    return affinity.nodeOf(key);
  }

  @Override
  public long sumOfBytes() {
    return numbers.entryBytes().mapToLong(EntryBytes::valueAsLong).sum();
  }

  @Override
  public void putMortal(String key, byte[] value) {
    cache.put(key, value, Expiry.lifespan(1, TimeUnit.HOURS));
  }

  @Override
  public boolean isHere(String key) {
    KeyAffinity<String> affinity = node.keyAffinity(CACHE, () -> key);
    return affinity.nodeOf(key).equals(node.nodeName());
  }

  @Override
  public boolean isComplete(int nodes) {
    if (!isDistributed) {
      return true;
    }
    Topology topology = node.topology();
    if (topology == null || topology.members().size() != nodes) {
      return false;
    }
    List<SegmentOwners> segments = segments(topology);
    int owners = Math.min(OWNERS, nodes);
    boolean isWhole =
        !segments.isEmpty()
            && segments.stream()
                .allMatch(
                    s -> !s.isOffline() && s.isr().size() == owners && s.learners().isEmpty());
    double fair = (double) segments.size() * owners / nodes;
    return isWhole
        && topology.members().stream()
            .map(Member::id)
            .allMatch(member -> count(segments, member) >= fair * SHARE_MIN);
  }

  private static List<SegmentOwners> segments(Topology topology) {
    CacheDefinition definition = topology.cache(CACHE);
    if (definition == null) {
      return List.of();
    }
    int first = topology.firstSegment(definition.group());
    int count = topology.groups().get(definition.group()).segmentCount();
    return topology.segments().subList(first, first + count);
  }

  private static long count(List<SegmentOwners> segments, NodeId member) {
    return segments.stream().filter(segment -> segment.isr().contains(member)).count();
  }

  @Override
  public long localSize() {
    return cache.memoryUse().liveBytes();
  }

  @Override
  public int localSegments() {
    Topology topology = node.topology();
    @Nullable NodeId self =
        topology == null
            ? null
            : topology.members().stream()
                .filter(member -> member.profile().name().equals(node.nodeName()))
                .map(Member::id)
                .findFirst()
                .orElse(null);
    return topology == null || self == null ? 0 : (int) count(segments(topology), self);
  }

  @Override
  public int segments() {
    Topology topology = node.topology();
    return topology == null ? 0 : segments(topology).size();
  }
}
