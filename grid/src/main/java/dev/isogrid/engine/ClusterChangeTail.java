package dev.isogrid.engine;

import dev.isogrid.api.CacheChange;
import dev.isogrid.api.ChangeToken;
import dev.isogrid.api.ChangesGoneException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.ChangeCalls.FindAnswer;
import dev.isogrid.engine.ChangeCalls.FindQuestion;
import dev.isogrid.engine.ChangeCalls.Found;
import dev.isogrid.engine.ChangeCalls.From;
import dev.isogrid.engine.ChangeCalls.Group;
import dev.isogrid.engine.ChangeCalls.Mode;
import dev.isogrid.engine.ChangeCalls.ReadAnswer;
import dev.isogrid.engine.ChangeCalls.ReadQuestion;
import dev.isogrid.engine.ChangeCalls.Status;
import dev.isogrid.engine.ChangeCalls.Stored;
import dev.isogrid.engine.ChangeCalls.Wanted;
import dev.isogrid.journal.JournalPlace;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes of a clustered cache from the stores of its nodes. For one thread; methods
 * block.
 */
final class ClusterChangeTail implements ChangeTail<BinaryKey, Bytes> {
  /*
   * Each segment is read at one of its in-sync replicas, its source: this node if it is one, else
   * the primary, else another. The source is first asked where its journal has the segment's place,
   * and then, again and again, for what is behind, with all other segments that it is the source
   * of. If it does not answer, lacks something of the segment, or is no in-sync replica any more,
   * another one is looked for. Only this reader remembers anything: a question has the places.
   *
   * One search and one question are open per node, and the next ones are asked when the changes of
   * all answers were taken. So a reader has an answer per node in memory at most, and a reader that
   * does not read asks for nothing.
   */
  /**
   * How long a search may take at first; twice as long with each one that was not answered, since a
   * message may be lost, or many files have to be read.
   */
  private static final long SEARCH_MILLIS = 4_000;

  private static final long SEARCH_MILLIS_MAX = 64_000;

  /** How long an answer may take, with the wait for changes. */
  private static final long READ_MILLIS = ClusterChanges.WAIT_MILLIS + 4_000;

  /** A node that has no changes, or no segment, is asked again after this. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How often it is looked whether the owners of segments changed, and what is due. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How long a place may be unknown to all nodes: some may not have heard of it yet. */
  private static final long BEHIND_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The reading of a segment. */
  private static final class Part {
    private Mode mode = Mode.AFTER;

    /** Up to which place changes came here. */
    private long place;

    /** Whether one came at that place. */
    private boolean isExact;

    private @Nullable NodeId source;

    /** Where the journal of the source goes on. */
    private JournalPlace at = JournalPlace.NONE;

    /** Whether a search is under way. */
    private boolean isAsked;

    private long dueNanos;

    /** Since when it has no source. */
    private long lostNanos;

    /** Since when nodes say that they have not heard of the place yet; 0 if they don't. */
    private long behindNanos;

    /** How many nodes did not answer, or had nothing of it. */
    private int failures;

    /** Why it was not found, or "". */
    private String trouble = "";

    /** What nodes answered that will not answer anything else. */
    private final Map<NodeId, Found> answers = new HashMap<>();

    /** Nodes that did not say where their oldest change is. */
    private final Set<NodeId> silent = new LinkedHashSet<>();
  }

  /** The questions to a node. */
  private static final class Source {
    private long identity;
    private long dueNanos;
    private long searchMillis = SEARCH_MILLIS;
    private @Nullable CompletableFuture<ByteString> search;
    private List<Integer> searched = List.of();
    private Mode searchMode = Mode.AFTER;
    private @Nullable CompletableFuture<ByteString> reading;
    private List<Integer> read = List.of();
  }

  private final ReplicatedEngine engine;
  private final ClusterCalls cluster;
  private final NodeCalls calls;
  private final NanoClock clock;
  private final ChangePlaces told;
  private final Part[] parts;
  private final Map<NodeId, Source> sources = new HashMap<>();
  private final ArrayDeque<Group> ready = new ArrayDeque<>();
  private int seenEpoch;

  /** Opened when an answer comes. */
  private volatile CountDownLatch arrival = new CountDownLatch(1);

  /**
   * Begins; {@link #open} must be next.
   *
   * @throws InvalidRequestException if it is no token of a clustered cache
   * @throws ChangesGoneException if it is one of another cache
   */
  ClusterChangeTail(
      ReplicatedEngine engine,
      ClusterCalls cluster,
      NodeCalls calls,
      NanoClock clock,
      ChangeToken from) {
    this.engine = engine;
    this.cluster = cluster;
    this.calls = calls;
    this.clock = clock;
    Topology topology = cluster.topology();
    if (topology == null) {
      throw new RetryableGridException(
          "in no cluster: cache=%s; try again".formatted(engine.name()));
    }
    this.told = new ChangePlaces(topology.origin().high(), engine.id(), engine.segmentCount());
    this.parts = new Part[engine.segmentCount()];
    Mode mode = Mode.AFTER;
    if (from.equals(ChangeToken.EARLIEST)) {
      mode = Mode.OLDEST;
    } else if (from.equals(ChangeToken.LATEST)) {
      mode = Mode.NOW;
    } else {
      told.read(engine.name(), from.toString());
    }
    long now = clock.nanoTime();
    for (int index = 0; index < parts.length; index++) {
      Part part = new Part();
      part.mode = mode;
      part.place = told.place(index);
      part.isExact = told.isExact(index);
      part.dueNanos = now;
      part.lostNanos = now;
      parts[index] = part;
    }
  }

  /** Finds all segments. Blocks as long as an operation on the cache may. */
  void open() {
    long deadline = clock.nanoTime() + timeoutNanos();
    while (true) {
      arrival = new CountDownLatch(1);
      step();
      int missing = firstMissing();
      if (missing < 0) {
        return;
      }
      long left = deadline - clock.nanoTime();
      if (left <= 0 || !tryAwait(Math.min(left, LOOK_NANOS))) {
        throw notRead(missing);
      }
    }
  }

  private long timeoutNanos() {
    return TimeUnit.MILLISECONDS.toNanos(engine.timeoutMillis());
  }

  private int firstMissing() {
    for (int index = 0; index < parts.length; index++) {
      if (parts[index].source == null) {
        return index;
      }
    }
    return -1;
  }

  private RetryableGridException notRead(int index) {
    return new RetryableGridException(
        "changes not read: cache=%s, segment=%d, in-sync=%s, waited=%d ms, reason=%s; try again"
            .formatted(
                engine.name(),
                index,
                cluster.inSync(index),
                engine.timeoutMillis(),
                parts[index].trouble));
  }

  /** Waits for an answer or the end of a time; false if the thread is interrupted. */
  private boolean tryAwait(long nanos) {
    try {
      boolean _ = clock.await(arrival, nanos);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  // ---- for the reader

  @Override
  public @Nullable CacheChange<BinaryKey, Bytes> next(long millis) {
    long deadline = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (true) {
      arrival = new CountDownLatch(1);
      CacheChange<BinaryKey, Bytes> change = poll();
      if (change != null) {
        return change;
      }
      step();
      if (ready.isEmpty()) {
        checkReachable();
        long left = deadline - clock.nanoTime();
        if (left <= 0 || !tryAwait(Math.min(left, LOOK_NANOS))) {
          return null;
        }
      }
    }
  }

  private void checkReachable() {
    long now = clock.nanoTime();
    for (int index = 0; index < parts.length; index++) {
      Part part = parts[index];
      if (part.source == null && now - part.lostNanos >= timeoutNanos()) {
        RetryableGridException failure = notRead(index);
        part.lostNanos = now; // a later call waits as long again
        throw failure;
      }
    }
  }

  private @Nullable CacheChange<BinaryKey, Bytes> poll() {
    while (true) {
      Group group = ready.peek();
      if (group == null) {
        return null;
      }
      int index = group.index();
      int next = told.read(index);
      if (next < group.changes().size()) {
        if (next + 1 == group.changes().size()) {
          told.reach(index, group.place(), true);
          ready.remove();
        } else {
          told.readPart(index, next + 1);
        }
        return change(index, group.changes().get(next));
      }
      told.reach(index, group.place(), true); // a token that has more than there was
      ready.remove();
    }
  }

  private CacheChange<BinaryKey, Bytes> change(int index, Stored stored) {
    ByteString key = stored.key();
    ByteString value = stored.value();
    return new CacheChange<>(
        stored.kind(),
        index,
        key == null ? null : BinaryKey.of(key.toByteArray()),
        value == null ? null : Bytes.of(value.toByteArray()),
        stored.version(),
        stored.createdMillis(),
        stored.lifespanMillis(),
        stored.maxIdleMillis(),
        token());
  }

  @Override
  public ChangeToken token() {
    return ChangeToken.of(told.token());
  }

  @Override
  public void close() {
    for (Source source : sources.values()) {
      cancel(source.search);
      cancel(source.reading);
    }
    sources.clear();
    ready.clear();
  }

  private static void cancel(@Nullable CompletableFuture<ByteString> call) {
    if (call != null) {
      call.cancel(false);
    }
  }

  // ---- what is due

  private void step() {
    engine.checkOpen();
    long now = clock.nanoTime();
    takeAnswers(now);
    Topology topology = cluster.topology();
    if (topology != null && topology.epoch() != seenEpoch) {
      seenEpoch = topology.epoch();
      leaveOthers(now);
    }
    search(now);
    if (ready.isEmpty()) {
      read(now);
    }
  }

  /** Looks for another source of segments whose source is not in sync any more. */
  private void leaveOthers(long now) {
    for (int index = 0; index < parts.length; index++) {
      NodeId source = parts[index].source;
      List<NodeId> inSync = cluster.inSync(index);
      if (source != null && !inSync.contains(source)) {
        lose(parts[index], now, "its replica is not in sync any more");
      }
      parts[index].answers.keySet().retainAll(inSync);
      parts[index].silent.retainAll(inSync);
    }
  }

  private static void lose(Part part, long now, String why) {
    if (part.source != null) {
      part.source = null;
      part.lostNanos = now;
    }
    part.dueNanos = now;
    part.trouble = why;
  }

  private static void retry(Part part, long now, String why) {
    lose(part, now, why);
    part.failures++;
    part.dueNanos = now + PAUSE_NANOS;
  }

  private void takeAnswers(long now) {
    boolean isSettled = firstMissing() < 0;
    for (Iterator<Map.Entry<NodeId, Source>> all = sources.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<NodeId, Source> each = all.next();
      Source source = each.getValue();
      CompletableFuture<ByteString> search = source.search;
      if (search != null && search.isDone()) {
        source.search = null;
        takeSearch(each.getKey(), source, search, now);
      }
      CompletableFuture<ByteString> reading = source.reading;
      if (reading != null && reading.isDone()) {
        source.reading = null;
        takeReading(each.getKey(), source, reading, now);
      }
      boolean isUsed = source.search != null || source.reading != null;
      if (isSettled && !isUsed && !isSource(each.getKey())) {
        all.remove();
      }
    }
  }

  private boolean isSource(NodeId node) {
    for (Part part : parts) {
      if (node.equals(part.source)) {
        return true;
      }
    }
    return false;
  }

  /** The answer of a node, or null if it gave none. */
  private @Nullable ByteString answer(CompletableFuture<ByteString> call, String[] why) {
    try {
      return call.join();
    } catch (CompletionException failed) {
      Throwable cause = failed.getCause();
      Throwable reason = cause instanceof NodeCallException ofCall ? ofCall.getCause() : null;
      if (reason instanceof InvalidRequestException refused) {
        throw new InvalidRequestException("" + refused.getMessage(), refused);
      }
      why[0] = reason instanceof GridException ? "" + reason.getMessage() : "" + cause;
      return null;
    }
  }

  // ---- the begin of segments

  private void search(long now) {
    Map<NodeId, Map<Mode, List<Integer>>> wanted = new HashMap<>();
    for (int index = 0; index < parts.length; index++) {
      Part part = parts[index];
      if (part.source == null && !part.isAsked && now - part.dueNanos >= 0) {
        NodeId candidate = candidate(index, part);
        if (candidate != null) {
          wanted
              .computeIfAbsent(candidate, _ -> new EnumMap<>(Mode.class))
              .computeIfAbsent(part.mode, _ -> new ArrayList<>())
              .add(index);
        }
      }
    }
    wanted.forEach((node, byMode) -> {
      Source source = sources.computeIfAbsent(node, _ -> new Source());
      Map.Entry<Mode, List<Integer>> first = byMode.entrySet().iterator().next();
      if (source.search == null) {
        search(node, source, first.getKey(), first.getValue());
      }
    });
  }

  /** The node to be asked next, or null if there is none now. */
  private @Nullable NodeId candidate(int index, Part part) {
    if (part.mode == Mode.NOW) {
      return cluster.primary(index);
    }
    Set<NodeId> candidates = new LinkedHashSet<>();
    List<NodeId> inSync = cluster.inSync(index);
    if (inSync.contains(calls.self())) {
      candidates.add(calls.self());
    }
    NodeId primary = cluster.primary(index);
    if (primary != null) {
      candidates.add(primary);
    }
    candidates.addAll(inSync);
    candidates.removeAll(part.answers.keySet());
    if (part.mode == Mode.OLDEST) {
      candidates.removeAll(part.silent);
      if (candidates.isEmpty()) {
        chooseOldest(index, part);
        return null;
      }
    }
    if (candidates.isEmpty()) {
      if (!part.answers.isEmpty()) {
        throw gone(index, part);
      }
      return null;
    }
    List<NodeId> ordered = List.copyOf(candidates);
    return ordered.get(part.failures % ordered.size());
  }

  /** All nodes said where their oldest change is, or did not answer. */
  private void chooseOldest(int index, Part part) {
    NodeId best = null;
    for (Map.Entry<NodeId, Found> each : part.answers.entrySet()) {
      boolean isBetter =
          best == null
              || each.getValue().place() < Objects.requireNonNull(part.answers.get(best)).place();
      best = isBetter ? each.getKey() : best;
    }
    part.silent.clear();
    if (best == null) {
      part.dueNanos = clock.nanoTime() + PAUSE_NANOS;
      return;
    }
    Found found = Objects.requireNonNull(part.answers.get(best));
    part.answers.clear();
    begin(index, part, best, found);
  }

  private ChangesGoneException gone(int index, Part part) {
    boolean isUnknown =
        part.answers.values().stream().allMatch(each -> each.status() == Status.UNKNOWN);
    if (isUnknown) {
      return ahead(index, part);
    }
    long oldest = part.answers.values().stream().mapToLong(Found::place).min().orElse(0);
    return new ChangesGoneException(
        ("changes are gone: cache=%s, segment=%d, place=%d, kept from=%d; no store keeps them so"
                + " long: read all entries, follow the changes from now on, and set a longer"
                + " retention")
            .formatted(engine.name(), index, part.place, oldest));
  }

  private ChangesGoneException ahead(int index, Part part) {
    return new ChangesGoneException(
        ("token is ahead of the stores: cache=%s, segment=%d, place=%d; the cluster went on without"
                + " what was read there, so read all entries and follow its changes from now on")
            .formatted(engine.name(), index, part.place));
  }

  private void search(NodeId node, Source source, Mode mode, List<Integer> indexes) {
    List<Wanted> wanted = new ArrayList<>(indexes.size());
    for (int index : indexes) {
      Part part = parts[index];
      part.isAsked = true;
      wanted.add(new Wanted(index, part.place, part.isExact));
    }
    source.searched = indexes;
    source.searchMode = mode;
    FindQuestion question = new FindQuestion(engine.name(), engine.id(), mode, wanted);
    source.search =
        call(node, ClusterChanges.FIND, ChangeCalls.encode(question), source.searchMillis);
  }

  private CompletableFuture<ByteString> call(
      NodeId node, int service, ByteString question, long timeoutMillis) {
    CompletableFuture<ByteString> call = calls.call(node, service, question, timeoutMillis);
    call.whenComplete((_, _) -> arrival.countDown());
    return call;
  }

  private void takeSearch(
      NodeId node, Source source, CompletableFuture<ByteString> search, long now) {
    String[] why = {""};
    List<Integer> searched = source.searched;
    source.searched = List.of();
    searched.forEach(index -> parts[index].isAsked = false);
    FindAnswer answer = null;
    ByteString bytes = answer(search, why);
    if (bytes != null) {
      try {
        answer = ChangeCalls.findAnswer(bytes);
      } catch (MalformedMessageException malformed) {
        why[0] = "" + malformed.getMessage();
      }
    }
    if (answer == null) {
      source.searchMillis = Math.min(2 * source.searchMillis, SEARCH_MILLIS_MAX);
      for (int index : searched) {
        retry(parts[index], now, why[0]);
        if (source.searchMode == Mode.OLDEST) {
          parts[index].silent.add(node);
        }
      }
      return;
    }
    source.searchMillis = SEARCH_MILLIS;
    if (answer.identity() != source.identity) {
      loseAll(node, source, now);
      source.identity = answer.identity();
    }
    for (Found found : answer.found()) {
      if (searched.contains(found.index())) {
        take(node, found, source.searchMode, now);
      }
    }
  }

  /** The store of a node is another one than before. */
  private void loseAll(NodeId node, Source source, long now) {
    cancel(source.reading);
    source.reading = null;
    for (Part part : parts) {
      if (node.equals(part.source)) {
        lose(part, now, "its store is another one");
      }
    }
  }

  private void take(NodeId node, Found found, Mode mode, long now) {
    int index = found.index();
    Part part = parts[index];
    if (part.source != null || part.mode != mode) {
      return;
    }
    switch (found.status()) {
      case FOUND -> {
        if (mode == Mode.OLDEST) {
          part.answers.put(node, found);
        } else {
          begin(index, part, node, found);
        }
      }
      case NOT_HERE -> {
        retry(part, now, "a replica has no complete copy");
        if (mode == Mode.OLDEST) {
          part.silent.add(node);
        }
      }
      case BEHIND -> {
        retry(part, now, "a replica has not come so far");
        part.behindNanos = part.behindNanos == 0 ? now : part.behindNanos;
        if (now - part.behindNanos >= BEHIND_NANOS && node.equals(cluster.primary(index))) {
          throw ahead(index, part);
        }
      }
      case GONE, UNKNOWN -> part.answers.put(node, found);
    }
  }

  private void begin(int index, Part part, NodeId node, Found found) {
    if (part.mode != Mode.AFTER) {
      part.mode = Mode.AFTER;
      part.place = found.place();
      part.isExact = false;
      told.reach(index, found.place(), false);
    }
    part.source = node;
    part.at = found.at();
    part.failures = 0;
    part.behindNanos = 0;
    part.answers.clear();
    part.silent.clear();
    Source source = sources.get(node);
    if (source == null) {
      lose(part, clock.nanoTime(), "its replica was not asked");
    }
  }

  // ---- what is behind

  private void read(long now) {
    Map<NodeId, List<From>> from = new HashMap<>();
    for (int index = 0; index < parts.length; index++) {
      NodeId node = parts[index].source;
      if (node != null) {
        from.computeIfAbsent(node, _ -> new ArrayList<>())
            .add(new From(index, parts[index].place, parts[index].at));
      }
    }
    from.forEach((node, segments) -> {
      Source source = Objects.requireNonNull(sources.get(node));
      if (source.reading == null && now - source.dueNanos >= 0) {
        source.read = segments.stream().map(From::index).toList();
        ReadQuestion question =
            new ReadQuestion(
                engine.name(), engine.id(), source.identity, ClusterChanges.WAIT_MILLIS, segments);
        source.reading = call(node, ClusterChanges.READ, ChangeCalls.encode(question), READ_MILLIS);
      }
    });
  }

  private void takeReading(
      NodeId node, Source source, CompletableFuture<ByteString> reading, long now) {
    String[] why = {""};
    List<Integer> read = source.read;
    source.read = List.of();
    ReadAnswer answer = null;
    ByteString bytes = answer(reading, why);
    if (bytes != null) {
      try {
        answer = ChangeCalls.readAnswer(bytes);
      } catch (MalformedMessageException malformed) {
        why[0] = "" + malformed.getMessage();
      }
    }
    for (int index : read) {
      Part part = parts[index];
      if (!node.equals(part.source)) {
        continue; // it was left meanwhile
      }
      if (answer == null) {
        retry(part, now, why[0]);
      } else {
        part.at = part.at.isBeyond(answer.end()) ? part.at : answer.end();
      }
    }
    if (answer == null) {
      return;
    }
    source.dueNanos = answer.groups().isEmpty() ? now + PAUSE_NANOS : now;
    for (Group group : answer.groups()) {
      take(node, read, group);
    }
    for (int index : answer.absent()) {
      if (read.contains(index) && node.equals(parts[index].source)) {
        retry(parts[index], now, "a replica has no complete copy any more");
      }
    }
  }

  private void take(NodeId node, List<Integer> read, Group group) {
    int index = group.index();
    if (!read.contains(index) || group.changes().isEmpty()) {
      return;
    }
    Part part = parts[index];
    if (node.equals(part.source) && group.place() > part.place) {
      part.place = group.place();
      part.isExact = true;
      ready.add(group);
    }
  }
}
