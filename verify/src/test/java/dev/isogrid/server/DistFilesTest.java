package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.verify.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of an archive for systemd, Kubernetes, Docker and Prometheus fit the server. */
class DistFilesTest {
  private static final Pattern SECONDS_OF_UNIT = Pattern.compile("(?m)^TimeoutStopSec=(\\d+)$");
  private static final Pattern SECONDS_OF_POD =
      Pattern.compile("terminationGracePeriodSeconds: (\\d+)");
  private static final Pattern ARGUMENT = Pattern.compile("(?m)^ +- (--.*)$");
  private static final Pattern OPTIONS = Pattern.compile("ISOGRID_OPTIONS=\"([^\"]*)\"");
  private static final Pattern COMMAND = Pattern.compile("(?m)^CMD \\[(.*)]$");
  private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)\n +expr: (.*)\n");
  private static final Pattern LABEL = Pattern.compile("\\$labels\\.(\\w+)");

  /** The most that a server takes to end, beside the time for its entries. */
  private static final int END_SECONDS = 20;

  private static final long MIB = 1 << 20;

  /** The memory of a JVM beside heap, caches and buffers of the network. */
  private static final long JVM_BYTES = 250 * MIB;

  @TempDir Path folder;

  private static String read(String file) throws IOException {
    return Files.readString(Project.root().resolve("dist").resolve(file));
  }

  private static MatchResult find(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertTrue(matcher.find(), () -> "nothing fits: pattern=" + pattern);
    return matcher.toMatchResult();
  }

  private static int number(Pattern pattern, String text) {
    return Integer.parseInt(find(pattern, text).group(1));
  }

  private static ServerOptions parse(List<String> arguments) {
    return Objects.requireNonNull(
        new CommandLineParser().parse(arguments.toArray(String[]::new), System.out));
  }

  /** The arguments of the pods, with values for what Kubernetes fills in. */
  private static List<String> podArguments() throws IOException {
    return ARGUMENT
        .matcher(read("kubernetes/isogrid.yaml"))
        .results()
        .map(found -> found.group(1))
        .map(argument -> argument.replace("$(POD_IP)", "127.0.0.1").replace("$(POD_NAME)", "p"))
        .toList();
  }

  @Test
  void optionsOfTheUnit_areThoseOfAServer() throws IOException {
    String options = find(OPTIONS, read("conf/isogrid.env")).group(1);

    ServerOptions read = parse(List.of(options.split(" ", -1)));

    assertEquals("/var/lib/isogrid", read.dataDirectory());
  }

  @Test
  void unit_restartsAServerThatDidNotFindItsCluster() throws IOException {
    String unit = read("systemd/isogrid.service");

    assertTrue(unit.contains("\nRestart=on-failure\n"), unit);
    assertTrue(unit.contains("\nRestartPreventExitStatus=%d\n".formatted(Main.EXIT_USAGE)), unit);
  }

  @Test
  void unit_letsTheExampleOfALogWriteItsFiles() throws IOException {
    String environment = read("conf/isogrid.env");

    assertTrue(read("conf/logback.xml").contains("${isogrid.log.folder:-"));
    assertTrue(environment.contains("-Disogrid.log.folder=/var/log/isogrid"), environment);
    assertTrue(read("systemd/isogrid.service").contains("\nLogsDirectory=isogrid\n"));
  }

  @Test
  void imageOfDocker_hasOptionsOfAServer() throws IOException {
    String command = find(COMMAND, read("container/Dockerfile")).group(1);

    ServerOptions read = parse(List.of(command.replace("\"", "").split(", *", -1)));

    assertTrue(read.security().auth());
  }

  @Test
  void arguments_ofPods_areOptionsOfAServer() throws IOException {
    Path secret = Files.writeString(folder.resolve("cluster.secret"), "x".repeat(32));
    List<String> arguments = new ArrayList<>(podArguments());
    arguments.replaceAll(argument -> argument.replace("/secret/cluster.secret", secret.toString()));

    ServerSettings settings = ServerSettings.of(parse(arguments), null);

    assertFalse(settings.grid().nodeName().isEmpty());
  }

  @Test
  void servers_getTheTimeToHandTheirEntriesOver() throws IOException {
    Long leaveMillis = parse(podArguments()).cluster().waits().leaveMillis();

    int pod = number(SECONDS_OF_POD, read("kubernetes/isogrid.yaml"));
    assertTrue(Objects.requireNonNull(leaveMillis) / 1000 + END_SECONDS <= pod);
    int unit = number(SECONDS_OF_UNIT, read("systemd/isogrid.service"));
    assertTrue(10 + END_SECONDS <= unit, "the default of --leave-timeout is 10 s");
  }

  @Test
  void pods_startTogether_sinceStoredCachesWaitForAllOfThem() throws IOException {
    String manifest = read("kubernetes/isogrid.yaml");

    assertTrue(manifest.contains("\n  podManagementPolicy: Parallel\n"), manifest);
    assertTrue(podArguments().stream().anyMatch(each -> each.startsWith("--found-after=")));
  }

  @Test
  void memory_ofAPod_isWithinItsLimit() throws IOException {
    String manifest = read("kubernetes/isogrid.yaml");
    long limit = number(Pattern.compile("limits: \\{memory: (\\d+)Gi}"), manifest) * 1024L * MIB;
    long heap = limit * number(Pattern.compile("MaxRAMPercentage=(\\d+)"), manifest) / 100;
    long network = number(Pattern.compile("MaxDirectMemorySize=(\\d+)m"), manifest) * MIB;
    Long offHeap = parse(podArguments()).offHeapMaxBytes();

    assertTrue(heap + network + Objects.requireNonNull(offHeap) + JVM_BYTES <= limit);
  }

  @Test
  void alerts_nameLabelsThatTheirExpressionKeeps() throws IOException {
    for (String rule : alerts().split("\n(?= +- alert:)", -1)) {
      Matcher alert = ALERT.matcher(rule);
      if (alert.find() && alert.group(2).matches("(max|min|sum)\\(.*")) {
        assertFalse(LABEL.matcher(rule).find(), rule);
      }
    }
  }

  @Test
  void prometheus_scrapesTheJobOfTheAlerts() throws IOException {
    String page = Files.readString(Project.root().resolve("docs/operations.md"));

    String job = find(Pattern.compile("up\\{job=\"(\\w+)\"}"), alerts()).group(1);
    assertTrue(page.contains("  - job_name: %s\n".formatted(job)), job);
  }

  private static String alerts() throws IOException {
    return read("monitoring/prometheus-alerts.yml");
  }

  @Test
  void alerts_areAllOnThePage() throws IOException {
    String page = Files.readString(Project.root().resolve("docs/operations.md"));
    List<String> missing =
        ALERT
            .matcher(alerts())
            .results()
            .map(alert -> alert.group(1))
            .filter(name -> !page.contains("| `" + name + "` |"))
            .toList();

    assertEquals(List.of(), missing);
  }
}
