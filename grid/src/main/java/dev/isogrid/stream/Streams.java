package dev.isogrid.stream;

import dev.isogrid.api.CacheStream;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Env;
import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.ClusterScans;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.NodeId;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The streams of a node, and its part in those of other nodes. Thread-safe. */
public final class Streams implements ClusterScans, AutoCloseable {
  /** The number of the service between nodes. */
  private static final int SERVICE = 1;

  /** The most waiting parts of streams; further ones are refused. */
  private static final int WAITING_MAX = 10_000;

  /** The most bytes of a page beside its entries: two sets of segments and a key. */
  private static final int PAGE_HEAD_MAX = 1 << 20;

  private final NodeCalls calls;
  private final NanoClock clock;
  private final Function<String, @Nullable StreamCache<?, ?, ?, ?>> caches;
  private final ThreadPoolExecutor pool;
  private final ExecutorService own;
  private final SizeCalls sizes;

  /**
   * Begins to answer questions of other nodes.
   *
   * @param caches finds the caches of users by their names
   */
  public Streams(
      NodeCalls calls, Env env, Function<String, @Nullable StreamCache<?, ?, ?, ?>> caches) {
    int threads = Runtime.getRuntime().availableProcessors();
    this.calls = calls;
    this.clock = env.nanoClock();
    this.caches = caches;
    this.pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            env.scheduler().threads(Thread.ofPlatform().daemon().name("isogrid-stream-", 0)));
    pool.allowCoreThreadTimeOut(true);
    this.own =
        Executors.newThreadPerTaskExecutor(
            env.scheduler().threads(Thread.ofVirtual().name("isogrid-stream-own-", 0)));
    this.sizes =
        new SizeCalls(
            calls,
            name -> {
              StreamCache<?, ?, ?, ?> found = caches.apply(name);
              return found == null ? null : found.engine();
            });
    calls.offer(SERVICE, (_, request) -> serve(request));
  }

  /** Reads objects from other nodes. */
  public ObjectReader objects() {
    return calls.objects();
  }

  /**
   * A stream over a cache of this node.
   *
   * @param <E> the type of the part for users
   */
  public <E> CacheStream<E> stream(
      StreamCache<?, ?, ?, ?> cache, EntryPart part, boolean isParallel) {
    cache.engine().checkOpen();
    StreamPlan<?, ?, ?, ?> plan = new StreamPlan<>(this, cache, part);
    plan.controls.isParallel = isParallel;
    return new DistributedStream<>(plan);
  }

  /**
   * The number of live entries of a cache: a question to each node, which answers from the counts
   * of its segments. Segments that are moving, or that may have expired entries, are queried again,
   * as in other streams. Waits as long as other operations on the cache do.
   *
   * @throws RetryableGridException if there is no answer in time
   */
  @Override
  public long size(CacheEngine<BinaryKey, Bytes> engine) {
    BitSet rest = new BitSet();
    rest.set(0, engine.segmentCount());
    long size = sizes.count(engine, rest);
    if (rest.isEmpty()) {
      return size;
    }
    StreamPlan<?, ?, ?, ?> plan = new StreamPlan<>(this, raw(engine), EntryPart.KEYS);
    plan.controls.timeoutMillis = engine.timeoutMillis();
    plan.controls.segments = rest;
    return size + new DistributedStream<>(plan).count();
  }

  @Override
  public EntryWalk<BinaryKey, Bytes> walk(
      CacheEngine<BinaryKey, Bytes> engine, BitSet segments, boolean withValues) {
    StreamControls controls = new StreamControls();
    controls.timeoutMillis = engine.timeoutMillis();
    EntryPart part = withValues ? EntryPart.ENTRIES : EntryPart.KEYS;
    Pipeline pipeline = new Pipeline(engine.name(), part, List.of(), null, null, controls);
    SegmentEvaluator<?, ?, ?, ?> here =
        new SegmentEvaluator<>(raw(engine), pipeline, null, node(pipeline));
    return new PagedWalk(engine, new Rounds(this, here, segments, controls));
  }

  private static StreamCache<BinaryKey, Bytes, BinaryKey, Bytes> raw(
      CacheEngine<BinaryKey, Bytes> engine) {
    return new StreamCache<>(
        engine,
        RawForm.INSTANCE,
        () -> {
          throw new IllegalStateException("no functions of users here");
        });
  }

  /**
   * This node for the evaluations of a pipeline. Those that functions of other streams wait for
   * need threads of their own: all threads of the pool may be at such functions.
   */
  StreamNode node(Pipeline pipeline) {
    return new StreamNode(calls.names(), clock, pipeline.isNested ? own : pool);
  }

  private ByteString serve(ByteString request) throws InterruptedException {
    StreamCodec.Asked asked = StreamCodec.decodeQuestion(request, calls.objects());
    calls.describe("stream", asked.pipeline().cacheName);
    StreamCache<?, ?, ?, ?> cache = caches.apply(asked.pipeline().cacheName);
    if (cache == null) {
      throw new RetryableGridException(
          "no such cache: cache=%s, node=%s"
              .formatted(asked.pipeline().cacheName, calls.names().ofSelf()));
    }
    StreamAnswer answer = evaluator(cache, asked.pipeline()).answer(asked.question());
    checkSendable(answer, cache.engine().name());
    ByteString encoded = StreamCodec.encode(answer, asked.pipeline(), cache.form());
    if (encoded.length() > NodeCalls.BODY_MAX) {
      throw new InvalidRequestException(
          ("result of a stream too large to be sent to another node: cache=%s, size=%d, limit=%d;"
                  + " collect less of each entry, use toList or iterator, or give the cache more"
                  + " segments")
              .formatted(cache.engine().name(), encoded.length(), NodeCalls.BODY_MAX));
    }
    return encoded;
  }

  /** Checks the size of an answer: a page exceeds its limit only if it has one entry. */
  private static void checkSendable(StreamAnswer answer, String cache) {
    if (answer.packed.sizeBytes() > NodeCalls.BODY_MAX - PAGE_HEAD_MAX) {
      throw new InvalidRequestException(
          ("entry too large to be sent to another node: cache=%s, size=%d, limit=%d; go through"
                  + " keys only, and read it from the node that has it")
              .formatted(cache, answer.packed.sizeBytes(), NodeCalls.BODY_MAX - PAGE_HEAD_MAX));
    }
  }

  @SuppressWarnings("unchecked") // keys that were sent are of caches of bytes
  private <K, V, S, T> SegmentEvaluator<K, V, S, T> evaluator(
      StreamCache<K, V, S, T> cache, Pipeline pipeline) {
    byte[][] keys = pipeline.keys;
    Map<Integer, List<S>> grouped =
        keys == null
            ? null
            : (Map<Integer, List<S>>)
                (Map<Integer, ?>) SegmentKeys.of((CacheEngine<BinaryKey, ?>) cache.engine(), keys);
    return new SegmentEvaluator<>(cache, pipeline, grouped, node(pipeline));
  }

  /** Sends a question to a node, which may be this one. Cancelling the future ends the work. */
  CompletableFuture<StreamAnswer> ask(
      NodeId to, SegmentEvaluator<?, ?, ?, ?> evaluator, Question question, Sent sent) {
    if (to.equals(calls.self())) {
      return askHere(evaluator, question);
    }
    CompletableFuture<ByteString> bytes =
        calls.call(
            to,
            SERVICE,
            StreamCodec.encode(sent.pipeline(), question),
            sent.timeoutMillis(),
            calls.currentTrace());
    EntryForm<?, ?, ?, ?> form = evaluator.cache.form();
    Function<ByteString, StreamAnswer> decoding =
        body -> StreamCodec.decodeAnswer(body, evaluator.pipeline, form, calls.objects());
    CompletableFuture<StreamAnswer> answer =
        evaluator.pipeline.isRaw()
            ? bytes.thenApply(decoding) // entries stay as they are
            : bytes.thenApplyAsync(decoding, own);
    answer.whenComplete((_, _) -> {
      if (answer.isCancelled()) {
        bytes.cancel(false);
      }
    });
    return answer;
  }

  /**
   * The common part of all questions to other nodes.
   *
   * @param pipeline as bytes
   * @param timeoutMillis the time-out of nodes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Sent(byte[] pipeline, long timeoutMillis) {}

  private CompletableFuture<StreamAnswer> askHere(
      SegmentEvaluator<?, ?, ?, ?> evaluator, Question question) {
    CompletableFuture<StreamAnswer> answer = new CompletableFuture<>();
    try {
      Future<?> work =
          own.submit(() -> {
            try {
              answer.complete(evaluator.answer(question));
            } catch (Throwable failure) { // tidy: top of the thread; all goes to the caller
              answer.completeExceptionally(failure);
            }
          });
      answer.whenComplete((_, _) -> {
        if (answer.isCancelled()) {
          work.cancel(true);
        }
      });
    } catch (RejectedExecutionException closing) {
      answer.completeExceptionally(new InvalidRequestException("grid closed"));
    }
    return answer;
  }

  /** Ends all evaluations. Calling it twice is harmless. */
  @Override
  public void close() {
    own.shutdownNow();
    pool.shutdownNow();
  }
}
