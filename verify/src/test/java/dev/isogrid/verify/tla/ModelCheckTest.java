package dev.isogrid.verify.tla;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.cluster.Rule;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The models of the cluster protocol keep their invariants, and without any single rule they do
 * not. Each {@code Name.cfg} of {@code src/test/tla} is checked with the module that its name
 * begins with, once unchanged, and once for each of its lines {@code Without RULE: Invariant},
 * whose invariant must be violated then. Configurations that begin with the word Long are checked
 * by command only, see the README there.
 */
@Tag("deep")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ModelCheckTest {
  private static final int AT_ONCE = 2;

  /**
   * The models assume lasting clients, three voters, writes of one key, demoted nodes that stay
   * members, and unlimited records. Tests of the code cover the rest.
   */
  private static final Set<Rule> NOT_MODELLED =
      Set.of(
          Rule.SESSION_END,
          Rule.REFUSE_FORGOTTEN,
          Rule.GONE_IS_DEAD,
          Rule.HEIR_ACCEPTS,
          Rule.HEIR_LEASED,
          Rule.VOTERS_KNOW,
          Rule.SURVIVOR_LEASED,
          Rule.DEMOTE_REMOVED,
          Rule.KEEP_ALL_KEYS);

  private final ExecutorService runner = Executors.newFixedThreadPool(AT_ONCE);

  record Running(ModelRun run, Future<ModelRun.Result> result) {
    @Override
    public String toString() {
      return run.toString();
    }
  }

  private Stream<Running> runs = Stream.empty();

  @BeforeAll
  void start() {
    runs =
        ModelRun.all().stream()
            .map(run -> new Running(run, runner.submit(run::check)))
            .toList()
            .stream();
  }

  @AfterAll
  void stop() {
    runner.shutdownNow();
  }

  Stream<Running> runs() {
    return runs;
  }

  @ParameterizedTest
  @MethodSource("runs")
  void model_withAndWithoutItsRules_isRightAndWrong(Running running) throws Exception {
    ModelRun.Result result = running.result.get();
    System.out.println(running + ": " + result.summary());
    assertEquals(running.run.violated(), result.violated(), result.output());
  }

  @Test
  void rules_ofTheCode_areInSomeModel() {
    Set<String> missing = new TreeSet<>();
    for (Rule rule : Rule.values()) {
      boolean isThere =
          ModelRun.all().stream().anyMatch(run -> run.withoutRule().equals(rule.name()));
      if (!isThere && !NOT_MODELLED.contains(rule)) {
        missing.add(rule.name());
      }
    }
    assertEquals(Set.of(), missing);
  }
}
