package dev.isogrid.chaos.run;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.chaos.history.Operation.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Short runs of {@code ./isogrid chaos}, with faults that need no network of their own. Their
 * clients are embedded nodes: the official Hot Rod client can block itself for ever while servers
 * fail.
 */
@Tag("interop")
class ChaosTest {
  private static Path checkout() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isExecutable(folder.resolve("isogrid"))) {
      folder = Objects.requireNonNull(folder.getParent(), "not inside of a checkout");
    }
    return folder;
  }

  private static Summary run(String words) throws Exception {
    Path checkout = checkout();
    Options options =
        requireNonNull(
            new OptionsParser(0, checkout).parse(Arrays.asList(words.split(" ", -1)), System.out));
    Summary summary = new ChaosRun(options, checkout, System.out).run();
    assertEquals(List.of(), summary.violations(), summary::text);
    assertTrue(summary.findings().history().count(Outcome.DONE) > 0, summary::text);
    return summary;
  }

  private static void killPauseAndRestart(String further) throws Exception {
    Summary summary =
        run(
            "--minutes 0.25 --seed 1 --client embedded --faults kill,pause,restart --rate 600"
                + " --folder verify/chaos/target/short"
                + further);
    assertTrue(summary.episodes().size() >= 2, summary::text);
  }

  @Test
  void killsPausesAndRestarts_ofThreeNodes_breakNoPromise() throws Exception {
    killPauseAndRestart("");
  }

  @Test
  @Tag("deep")
  void killsPausesAndRestarts_ofNodesWithOneProcessor_breakNoPromise() throws Exception {
    killPauseAndRestart(" --processors 1");
  }

  @Test
  @Tag("deep")
  void majoritiesAndTwoFaultsAtOnce_underOwnClients_breakNoPromise() throws Exception {
    run(
        "--minutes 0.5 --seed 1 --client isogrid --faults kill,pause,majority,two --rate 600"
            + " --folder verify/chaos/target/majority");
  }

  @Test
  @Tag("deep")
  void pauses_ofOneNodeWithoutCluster_breakNoPromise() throws Exception {
    run(
        "--minutes 0.1 --seed 1 --nodes 1 --faults pause --rate 600 --folder"
            + " verify/chaos/target/one");
  }
}
