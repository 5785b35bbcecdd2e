package dev.isogrid.chaos.load;

import dev.isogrid.chaos.history.History;
import dev.isogrid.chaos.time.RealTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** All load of a run. For one thread, besides its own threads. */
public final class Load implements AutoCloseable {
  private static final long END_SECONDS_MAX = 60;

  /**
   * The number of threads that work on registers, and the steps per second of each kind of load.
   */
  public record Rate(int threads, double registers, double tokens, double inserts, double probes) {}

  private final Access access;
  private final History history;
  private final RealTime time;
  private final Rate rate;
  private final SplittableRandom random;
  private final Failures failures;
  private final AtomicLong lastValue = new AtomicLong();
  private final Registers registers = new Registers(lastValue);
  private final List<RecordedCache> caches = new ArrayList<>();
  private final Tokens tokens;
  private final Inserts inserts;
  private final Probes probes;
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch ended;
  private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
  private volatile boolean isStopping;
  private History.Result checked;

  /**
   * Prepares the load.
   *
   * @param access the clients; closed with this
   */
  public Load(Access access, History history, RealTime time, Rate rate, long seed) {
    this.access = access;
    this.history = history;
    this.time = time;
    this.rate = rate;
    this.random = new SplittableRandom(seed);
    this.failures = new Failures(access.repeats());
    RecordedCache.Shared shared = new RecordedCache.Shared(access, history, failures, time);
    int count = Math.max(access.count(), rate.threads);
    for (int client = 0; client < count; client++) {
      caches.add(new RecordedCache(client, shared));
    }
    this.tokens = new Tokens(caches, lastValue);
    this.inserts = new Inserts(caches, lastValue);
    this.probes = new Probes(shared, lastValue);
    this.ended = new CountDownLatch(rate.threads + 3);
    this.checked = history.checkAndForget("none");
  }

  /** Starts the load. */
  public void start() {
    for (int i = 0; i < rate.threads; i++) {
      RecordedCache cache = caches.get(i);
      SplittableRandom own = random.split();
      start("registers-" + i, rate.registers / rate.threads, () -> registers.step(cache, own));
    }
    start("tokens", rate.tokens, tokens::step);
    start("inserts", rate.inserts, inserts::step);
    start("probes", rate.probes, probes::step);
  }

  private void start(String name, double timesASecond, Runnable step) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name(name)
            .unstarted(() -> {
              try {
                Pace pace = new Pace(time, timesASecond);
                while (!isStopping) {
                  step.run();
                  pace.await();
                }
              } catch (RuntimeException | Error failure) {
                broken.compareAndSet(null, failure);
              } finally {
                ended.countDown();
              }
            });
    threads.add(thread);
    thread.start();
  }

  /**
   * Throws the failure of a thread of the load.
   *
   * @throws IOException if a thread failed
   */
  public void check() throws IOException {
    Throwable failure = broken.get();
    if (failure != null) {
      throw new IOException("the load broke off", failure);
    }
  }

  /** Chooses the keys to probe, some of each node. */
  public List<Probes.Target> probe() {
    return probes.choose();
  }

  /** Directs operations to new keys, reads the old keys a last time and checks their history. */
  public void nextGeneration() throws InterruptedException {
    int old = registers.next();
    // No operation on an old key takes longer.
    RealTime.pauseMillis(access.operationMillisMax());
    checkGeneration(old);
  }

  private void checkGeneration(int generation) {
    String prefix = Registers.prefix(generation);
    for (int key = 0; key < Registers.keys(); key++) {
      caches.get(key % caches.size()).get(prefix + key);
      caches.get((key + 1) % caches.size()).get(prefix + key);
    }
    checked = checked.plus(history.checkAndForget(prefix));
  }

  /** Stops the load, reads the entries that must exist, and checks the rest of the history. */
  public Findings stop() throws IOException, InterruptedException {
    isStopping = true;
    if (!ended.await(END_SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new IOException("the load did not end in " + END_SECONDS_MAX + " s: " + stacks());
    }
    check();
    probes.drain();
    checkGeneration(registers.generation());
    Inserts.Tally inserted = inserts.readAll();
    checked = checked.plus(history.checkAndForget(""));
    return new Findings(checked, tokens.tally(), inserted, failures, probes);
  }

  private String stacks() {
    StringBuilder text = new StringBuilder();
    for (Thread thread : threads) {
      if (thread.isAlive()) {
        text.append(thread.getName()).append(List.of(thread.getStackTrace())).append('\n');
      }
    }
    return text.toString();
  }

  /** The results of the load. */
  public record Findings(
      History.Result history,
      Tokens.Tally tokens,
      Inserts.Tally inserts,
      Failures failures,
      Probes probes) {}

  @Override
  public void close() {
    isStopping = true;
    access.close();
  }
}
