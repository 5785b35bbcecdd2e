package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.Server;
import dev.isogrid.testkit.Children;
import dev.isogrid.testkit.ProcessOutput;
import dev.isogrid.verify.Project;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archives of {@code isogrid dist}, which the launcher makes before this test, in the
 * environment of a new user: unpacked into an empty folder, with an empty home, without sources,
 * Maven and its repository.
 */
@Tag("interop")
@Tag("deep")
class ArchiveTest {
  private static final Pattern READY = Pattern.compile(" ready on [^ ]*:(\\d+)");
  private static final Pattern NAME =
      Pattern.compile("isogrid-" + Pattern.quote(Server.VERSION) + "(-[a-z].*)?\\.tar\\.gz");
  private static final String TRAINING = "making the start-up cache";
  private static final int EXIT_TERMINATED = 143;
  private static final long STOP_SECONDS = 120;

  /** All programs on the PATH of an archive's user. */
  private static final List<String> TOOLS =
      List.of(
          "sh",
          "cat",
          "cksum",
          "date",
          "dirname",
          "grep",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sleep");

  @TempDir Path folder;

  private record Ran(int exitCode, String output, String errors) {}

  @BeforeEach
  void makeAPathWithoutMaven() throws IOException {
    Files.createDirectory(folder.resolve("home"));
    Path bin = Files.createDirectory(folder.resolve("tools"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(bin.resolve(tool), program(tool));
    }
  }

  private static Path program(String name) {
    return Stream.of("/usr/bin", "/bin")
        .map(place -> Path.of(place, name))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow();
  }

  private static List<Path> archives() throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(Project.root().resolve("target/dist"))) {
      for (Path file : files) {
        if (NAME.matcher(file.getFileName().toString()).matches()) {
          found.add(file);
        }
      }
    }
    assertEquals(2, found.size(), () -> "run isogrid dist: " + found);
    return found;
  }

  /** Unpacks the archive with its own runtime, or the one without. */
  private Path unpack(boolean withRuntime) throws IOException, InterruptedException {
    Path archive =
        archives().stream()
            .filter(file -> file.toString().contains("linux") == withRuntime)
            .findFirst()
            .orElseThrow();
    Process tar =
        Children.start(
            new ProcessBuilder("tar", "-xzf", archive.toString()).directory(folder.toFile()));
    assertEquals(0, tar.waitFor());
    return folder.resolve("isogrid-" + Server.VERSION);
  }

  private ProcessBuilder command(Path home, String... arguments) {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/isogrid").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.put("HOME", folder.resolve("home").toString());
    environment.put("PATH", folder.resolve("tools").toString());
    if (!Files.exists(home.resolve("runtime"))) {
      environment.put("JAVA_HOME", System.getProperty("java.home"));
    }
    return builder;
  }

  /** The command of a server without a cluster, on ports that the system chooses. */
  private ProcessBuilder serverAlone(Path home, String... options) {
    List<String> arguments =
        new ArrayList<>(List.of("server", "--port", "0", "--memcached-port", "0", "--no-cluster"));
    arguments.addAll(List.of(options));
    return command(home, arguments.toArray(String[]::new))
        .redirectError(folder.resolve("server-errors").toFile());
  }

  private Ran run(Path home, String... arguments) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    Process process =
        Children.start(
            command(home, arguments)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile()));
    assertTrue(process.waitFor(STOP_SECONDS, TimeUnit.SECONDS));
    return new Ran(process.exitValue(), Files.readString(output), Files.readString(errors));
  }

  private static String curl(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("curl", "-sS", "--fail"));
    command.addAll(List.of(arguments));
    Programs.Result result = Programs.run(".", command);
    assertEquals(0, result.exitCode(), result.output());
    return result.output();
  }

  /** Starts a server, writes and reads an entry, and stops it; returns its error output. */
  private String serve(Path home) throws IOException, InterruptedException {
    Process server = Children.start(serverAlone(home));
    try {
      String port = ProcessOutput.await(server, READY).match().group(1);
      String java = server.info().command().orElseThrow();
      assertEquals(Files.exists(home.resolve("runtime")), java.startsWith(home.toString()), java);
      String entry = "http://127.0.0.1:" + port + "/rest/v2/caches/default/hello";
      curl("-X", "PUT", "-H", "Content-Type: text/plain", "-d", "world", entry);
      assertEquals("world", curl(entry));
      server.destroy();
      assertTrue(server.waitFor(STOP_SECONDS, TimeUnit.SECONDS));
      assertEquals(EXIT_TERMINATED, server.exitValue());
    } finally {
      server.destroyForcibly();
    }
    return Files.readString(folder.resolve("server-errors"));
  }

  private static List<String> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void serveTwice(Path home) throws IOException, InterruptedException {
    String first = serve(home);
    assertTrue(first.contains(TRAINING), first);
    List<String> caches = filesIn(home.resolve("cache"));
    assertEquals(1, caches.size(), caches::toString);
    assertTrue(caches.getFirst().endsWith(".aot"), caches::toString);

    String second = serve(home);
    assertFalse(second.contains(TRAINING), second);
    assertEquals(caches, filesIn(home.resolve("cache")));
  }

  @Test
  void archive_withoutSourcesAndMaven_servesAndKeepsItsStartUpCache()
      throws IOException, InterruptedException {
    Path home = unpack(false);

    serveTwice(home);

    // The cache is found again at the new place of the folder.
    Path moved = Files.move(home, folder.resolve("moved"));
    String errors = serve(moved);
    assertFalse(errors.contains(TRAINING), errors);
    assertEquals(List.of(), filesIn(folder.resolve("home")));
  }

  @Test
  void archive_withARuntime_needsNoJava() throws IOException, InterruptedException {
    Path home = unpack(true);
    serveTwice(home);

    Ran nobody = run(home, "cli", "-c", "127.0.0.1:1", "ls", "caches");
    assertEquals(1, nobody.exitCode(), nobody.errors());
    assertTrue(nobody.errors().startsWith("isogrid: no connection"), nobody.errors());
  }

  @Test
  void archive_commands_areThoseOfUsers() throws IOException, InterruptedException {
    Path home = unpack(false);

    assertEquals(new Ran(0, "isogrid " + Server.VERSION + "\n", ""), run(home, "--version"));
    Ran help = run(home, "--help");
    assertEquals(0, help.exitCode());
    assertTrue(help.output().startsWith("Usage: isogrid COMMAND"), help.output());
    Ran options = run(home, "server", "--help");
    assertEquals(0, options.exitCode());
    assertTrue(options.output().contains("--memcached-port"), options.output());
    assertEquals("", options.errors());
    assertTrue(run(home, "cli", "--help").output().contains("clearcache"));
    assertEquals(2, run(home, "test").exitCode());
    assertEquals(2, run(home, "server", "--no-such-option").exitCode());

    assertEquals(0, run(home, "user", "create", "ada", "--no-password").exitCode());
    assertTrue(Files.readString(home.resolve("conf/users.properties")).contains("ada"));
    Files.writeString(folder.resolve("text"), "to be or not to be");
    Ran counted = run(home, "wordcount", "--top", "2", "text");
    assertEquals(0, counted.exitCode(), counted.errors());
    assertTrue(counted.output().contains("be"), counted.output());
  }

  @Test
  void archive_holdsLicencesAndTheListOfLibraries() throws IOException, InterruptedException {
    Path home = unpack(false);

    String list = Files.readString(home.resolve("licences/README.md"));
    String bill = Files.readString(home.resolve("licences/isogrid.cdx.json"));
    for (String jar : filesIn(home.resolve("lib"))) {
      if (!jar.startsWith("isogrid-")) {
        String name = jar.replaceAll("-\\d.*", "");
        assertTrue(list.contains(":" + name + "` |"), jar);
        assertTrue(bill.contains("\"" + name + "\""), jar);
      }
    }
    assertTrue(bill.contains("\"bomFormat\" : \"CycloneDX\""), bill.substring(0, 100));
    assertTrue(Files.exists(home.resolve("LICENSE")));
    for (String place : List.of("bin/isogrid", "README.md", "extras/systemd/isogrid.service")) {
      assertNotEquals("", Files.readString(home.resolve(place)));
      assertFalse(Files.readString(home.resolve(place)).contains("@VERSION@"), place);
    }
    Ran checked = run(home, "server", "--config", home.resolve("conf/none.xml").toString());
    assertEquals(2, checked.exitCode());
  }

  @Test
  void exampleConfiguration_isOneThatServersTake() throws IOException, InterruptedException {
    Path home = unpack(false);
    Path configuration = home.resolve("conf/isogrid.xml");
    Process server = Children.start(serverAlone(home, "--config", configuration.toString()));
    try {
      String ready = ProcessOutput.await(server, READY).text();
      assertTrue(ready.contains("sessions"), ready);
      assertTrue(ready.contains("pages"), ready);
    } finally {
      server.destroy();
      assertTrue(server.waitFor(STOP_SECONDS, TimeUnit.SECONDS));
    }
  }

  @Test
  void exampleOfALog_writesItsFiles_withTheRuntimeToo() throws IOException, InterruptedException {
    Path home = unpack(true);
    Path logs = folder.resolve("logs");
    ProcessBuilder command =
        serverAlone(
            home, "--node-name", "n1", "--log-config", home.resolve("conf/logback.xml").toString());
    command.environment().put("ISOGRID_JAVA_OPTS", "-Disogrid.log.folder=" + logs);
    Process server = Children.start(command);
    try {
      ProcessOutput.await(server, READY);
    } finally {
      server.destroy();
      assertTrue(server.waitFor(STOP_SECONDS, TimeUnit.SECONDS));
    }
    List<String> lines = Files.readAllLines(logs.resolve("isogrid.log"));
    assertNotEquals(List.of(), lines);
    for (String line : lines) {
      assertTrue(line.startsWith("{\"time\":\"") && line.contains("\"node\":\"n1\""), line);
    }
    assertTrue(Files.exists(logs.resolve("audit.log")));
  }
}
