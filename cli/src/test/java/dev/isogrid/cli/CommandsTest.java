package dev.isogrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cli.CommandLineSession.Ran;
import dev.isogrid.server.Protection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands against a server in this process: what they print, and their exit codes. */
class CommandsTest {
  private static final String PROTO =
      "{\"distributed-cache\":{\"encoding\":{\"media-type\":\"application/x-protostream\"}}}";

  @SuppressWarnings("NullAway.Init") // by startTheServer
  private static CommandServer server;

  @TempDir Path folder;
  private CommandLineSession cli = new CommandLineSession(Path.of("."), "");

  @BeforeAll
  static void startTheServer() {
    server = new CommandServer(Protection.NONE);
  }

  @AfterAll
  static void stopTheServer() {
    server.close();
  }

  @BeforeEach
  void connect() {
    cli = new CommandLineSession(folder, url());
    cli.run("drop", "cache", "c");
    cli.run("drop", "cache", "d");
    cli.run("drop", "cache", "proto");
  }

  private static String url() {
    return server.url();
  }

  private String output(String script) {
    Ran ran = cli.script(script);
    assertEquals("", ran.errors());
    assertEquals(ExitCode.DONE, ran.exitCode());
    return ran.output();
  }

  private String json(String script) {
    Ran ran = cli.script(script, "--output", "json");
    assertEquals("", ran.errors());
    assertEquals(ExitCode.DONE, ran.exitCode());
    return ran.output();
  }

  private Ran failing(int exitCode, String... words) {
    Ran ran = cli.run(words);
    assertEquals(exitCode, ran.exitCode(), ran::toString);
    return ran;
  }

  @Test
  void entries_writtenReadAndRemoved() {
    String script =
        """
        # a comment, and a blank line

        create cache --template=org.infinispan.DIST_SYNC c
        cd caches/c
        put hello world            # to the end of the line
        put 'two words' "it's \\"quoted\\""
        get hello
        get "two words"
        size
        put --if-absent fresh 1 ; # not a separator
        """
                .replace(" ; # not a separator", "")
            + "remove hello\nquery '*o*'\nclearcache\nsize\n";
    assertEquals("world\nit's \"quoted\"\n2\ntwo words\n0\n", output(script));
  }

  @Test
  void put_withTimes_isShownByGetExtended() {
    output("create cache --template org.infinispan.LOCAL c");
    output("put -c c --ttl 60 --max-idle=30 k v");
    String entry = json("get -x -c c k");
    assertTrue(entry.contains("\"timeToLiveSeconds\":\"60\""), entry);
    assertTrue(entry.contains("\"maxIdleTimeSeconds\":\"30\""), entry);
    assertTrue(entry.contains("\"node_name\":\"node-a\""), entry);
  }

  @Test
  void putIfAbsent_ofAnEntryThatExists_fails() {
    output("create cache --template org.infinispan.LOCAL c\nput -c c k v");
    Ran ran = failing(ExitCode.FAILED, "put", "-c", "c", "--if-absent", "k", "w");
    assertTrue(ran.errors().contains("the entry exists already: cache=c, key=k"), ran.errors());
    assertEquals("v\n", output("get -c c k"));
  }

  @Test
  void get_ofWhatIsNotThere_failsInPlainWords() {
    output("create cache --template org.infinispan.LOCAL c");
    assertEquals(
        "isogrid: no such entry: cache=c, key=k; query and ls list the keys\n",
        failing(ExitCode.FAILED, "get", "-c", "c", "k").errors());
    Ran noCache = failing(ExitCode.FAILED, "get", "-c", "none", "k");
    assertTrue(noCache.errors().contains("none"), noCache.errors());
    assertEquals(
        "isogrid: no cache is selected; give cache NAME, or -c NAME\n",
        failing(ExitCode.USAGE, "get", "k").errors());
  }

  @Test
  void misuse_hasExitCode2_andSaysWhatToDo() {
    assertEquals(
        "isogrid: unknown command: gett; did you mean get?\n",
        failing(ExitCode.USAGE, "gett", "k").errors());
    assertEquals(
        "isogrid: unknown command: foo; help lists all\n", failing(ExitCode.USAGE, "foo").errors());
    assertTrue(output("help put").contains("--if-absent[=true|false]"), output("help put"));
    assertTrue(failing(ExitCode.USAGE, "put", "--tll", "3").errors().contains("see help put"));
    assertTrue(failing(ExitCode.USAGE, "add", "--delta", "x", "n").errors().contains("a number"));
    assertEquals(ExitCode.USAGE, cli.runWith("", "--no-such-option").exitCode());
    assertEquals(ExitCode.USAGE, cli.runWith("", "--output", "xml", "ls").exitCode());
  }

  @Test
  void script_stopsAtTheFirstFailure_unlessItKeepsGoing() {
    String script = "create cache --template org.infinispan.LOCAL c\nget -c c k\nput -c c k v\n";
    Ran ran = cli.script(script);
    assertEquals(ExitCode.FAILED, ran.exitCode());
    assertTrue(ran.errors().startsWith("isogrid: input:2: no such entry"), ran.errors());
    assertEquals("0\n", output("size c"));
    Ran goesOn = cli.script("get -c c k\nput -c c k v\n", "--keep-going");
    assertEquals(ExitCode.FAILED, goesOn.exitCode());
    assertTrue(goesOn.errors().contains("some commands failed"), goesOn.errors());
    assertEquals("1\n", output("size c"));
    assertEquals(ExitCode.USAGE, cli.script("gett\n").exitCode());
    assertEquals(ExitCode.FAILED, cli.script("gett\n", "--keep-going").exitCode());
  }

  @Test
  void listings_ofTheTree() {
    output("create cache --template org.infinispan.LOCAL c\nput -c c a 1\nput -c c b 2");
    assertEquals("caches\nconfigurations\ncounters\nschemas\ntasks\ncluster\n", output("ls"));
    assertTrue(output("ls caches").lines().toList().contains("c"));
    assertEquals("[\"a\",\"b\"]\n", sorted(json("ls //containers/default/caches/c")));
    assertEquals("a\n", output("cd caches/c\nls --pattern a*"));
    assertEquals("node-a\n", output("ls cluster"));
    assertTrue(output("ls configurations").contains("org.infinispan.DIST_SYNC\n"));
    String csv = output("ls -l --pretty-print=CSV --max-items 1 /caches/c");
    assertTrue(csv.startsWith("key,value,timeToLiveSeconds,"), csv);
    assertEquals(2, csv.lines().count());
  }

  private static String sorted(String array) {
    String[] elements = array.strip().replaceAll("[\\[\\]]", "").split(",", -1);
    return "[" + String.join(",", new TreeSet<>(Arrays.asList(elements))) + "]\n";
  }

  @Test
  void cd_toWhatIsNotThere_fails() {
    assertEquals(
        "isogrid: no such path: path=/caches/none; ls caches lists the existing ones, name=none\n",
        failing(ExitCode.FAILED, "cd", "caches/none").errors());
    assertEquals("/caches\n", output("cd caches\npwd"));
    assertEquals("/\n", output("cd caches\ncd ..\npwd"));
  }

  @Test
  void counters_addedToAndSet() {
    cli.run("drop", "counter", "n");
    String script =
        """
        create counter --initial-value=3 --storage=VOLATILE --type=strong n
        add --delta=10 n
        counter n
        add
        add -q
        cas --expect=15 --value=20
        cas --expect=15 --value=20
        counter get
        reset
        counter get n
        drop counter n
        """;
    assertEquals("13\n14\ntrue\nfalse\n20\n3\n", output(script));
  }

  @Test
  void schemas_uploadedShownAndRemoved() throws IOException {
    Path file = Files.writeString(folder.resolve("p.proto"), "message P { optional int32 n = 1; }");
    output("schema upload --file=%s p.proto".formatted(file));
    assertEquals("message P { optional int32 n = 1; }\n", output("schema get p.proto"));
    assertTrue(json("schema ls").contains("{\"name\":\"p.proto\",\"error\":\"\"}"));
    output("schema remove p.proto");
    Path wrong = Files.writeString(folder.resolve("w.proto"), "message {");
    Ran ran = cli.run("schema", "upload", "-f", wrong.toString(), "w.proto");
    assertEquals(ExitCode.FAILED, ran.exitCode());
    assertTrue(ran.errors().contains("the schema is kept, but it is wrong"), ran.errors());
    output("schema remove w.proto");
  }

  @Test
  void attributes_areAltered_andShown() {
    output("create cache c '{\"local-cache\":{\"memory\":{\"max-count\":10}}}'");
    output("alter cache --attribute memory.max-count --value 20 c");
    assertTrue(json("describe caches/c").contains("\"max-count\":20"));
    assertTrue(json("describe caches/c").contains("\"max-count\":20"));
    Ran ran = cli.run("stats", "caches/c");
    assertTrue(ran.errors().contains("alter cache c --attribute statistics --value true"));
    output("alter cache --attribute statistics --value true c\nput -c c k v\nget -c c k");
    assertTrue(json("stats caches/c").contains("\"hits\":1"));
  }

  @Test
  void aliases_standForCommandsAndForCaches() {
    output("create cache --template org.infinispan.LOCAL c\nalias w='put -c c k v'\nw");
    assertEquals("v\n", output("get -c c k"));
    assertEquals("w='put -c c k v'\n", output("alias"));
    output("unalias w\nalias --cache c other");
    assertEquals("v\n", output("get -c other k"));
  }

  @Test
  void bookmarks_areKeptForTheirOwnerOnly_withoutPasswords() throws IOException {
    output("bookmark set --url %s --user ada here".formatted(url()));
    Path file = folder.resolve(".config/isogrid/bookmarks.json");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())));
    assertEquals(
        "[{\"name\":\"here\",\"url\":\"%s\",\"user\":\"ada\"}]\n".formatted(url()),
        json("bookmark ls"));
    assertEquals("/\n", cli.runWith("connect here\npwd\n", "-f", "-").output());
    output("bookmark remove here");
    assertEquals("[]\n", json("bookmark ls"));
  }

  @Test
  void connect_toNothing_fails() {
    Ran ran = cli.runWith("", "-c", "127.0.0.1:1", "ls", "caches");
    assertEquals(ExitCode.FAILED, ran.exitCode());
    assertTrue(ran.errors().startsWith("isogrid: no connection: server=http://127.0.0.1:1;"));
    assertEquals(
        "isogrid: input:2: not connected; use connect [URL], or begin with -c URL; the default is"
            + " http://127.0.0.1:11222\n",
        cli.script("disconnect\nls caches\n").errors());
  }

  @Test
  void clusterHealthAndLogging_showTheServer() {
    assertTrue(output("cluster").contains("node-a"));
    assertEquals("HEALTHY", JsonText.object(JsonText.parse(json("health"))).get("health"));
    assertTrue(output("rebalance status").contains("copies_left"));
    assertEquals("AVAILABLE\n", output("availability default"));
    assertTrue(output("top --count 2").contains("node-a"));
    assertTrue(json("latency --count 3 default").contains("\"reads\":3"));
    output("create cache counted '{\"local-cache\":{\"statistics\":true}}'\nput -c counted k v");
    String timed = output("latency --server");
    assertTrue(timed.matches("(?s)cache +operation .*counted +put +1 +[0-9.]+ .*"), timed);
    assertTrue(json("latency --server counted").contains("\"operation\":\"put\""), timed);
    assertTrue(output("server metrics --pattern isogrid_conn*").contains("isogrid_connections"));
    assertTrue(output("whoami").contains("subject"));
  }

  @Test
  void limitOfRebalancing_isSentToTheServer() {
    assertTrue(output("rebalance status").contains("configured"));
    String errors = cli.script("rebalance limit 30MB\n").errors();
    assertTrue(errors.contains("no rebalancing without a cluster"), errors);
    errors = cli.script("rebalance limit 30\n").errors();
    assertTrue(errors.contains("rate=30"), errors);
  }

  @Test
  void recoverMajority_ofAServerWithoutACluster_saysSo() {
    String errors = cli.script("recover-majority\n").errors();
    assertTrue(errors.contains("without a cluster"), errors);
    errors = cli.script("recover-majority --confirm 1-2\n").errors();
    assertTrue(errors.contains("without a cluster"), errors);
  }

  @Test
  void shutdown_thatLosesEntries_mustBeConfirmed() {
    try (CommandServer stopped = new CommandServer(Protection.NONE)) {
      CommandLineSession other = new CommandLineSession(folder, stopped.url());
      assertEquals(ExitCode.DONE, other.run("put", "-c", "default", "k", "v").exitCode());
      for (String what : List.of("cluster", "server")) {
        Ran refused = other.run("shutdown", what);
        assertEquals(ExitCode.FAILED, refused.exitCode());
        assertEquals(
            "isogrid: nothing was stopped, since entries only in memory are lost: default (1);"
                + " --confirm stops it all the same\n",
            refused.errors());
      }
      assertEquals("v\n", other.run("get", "-c", "default", "k").output());
      assertEquals(ExitCode.DONE, other.run("shutdown", "cluster", "--confirm").exitCode());
    }
  }

  @Test
  void shutdown_thatLosesNothing_needsNoConfirmation() {
    try (CommandServer stopped = new CommandServer(Protection.NONE)) {
      Ran ran = new CommandLineSession(folder, stopped.url()).run("shutdown", "server");
      assertEquals(ExitCode.DONE, ran.exitCode(), ran::errors);
    }
  }

  @Test
  void usersAndData_areCommandsOfTheLauncher() throws IOException {
    String script =
        "#!/bin/sh\necho \"$@\"\n[ $1 = data ] && { echo no store >&2; exit 1; }\nexit 0\n";
    Path launcher = Files.writeString(folder.resolve("launcher"), script);
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    assertTrue(cli.run("user", "create", "ada").errors().contains("run isogrid user create by"));
    cli.launcher(launcher);
    assertEquals(
        "user create ada --data d --realm r --password x --roles admin,observer\n",
        cli.run(
                "user",
                "create",
                "-p",
                "x",
                "-g",
                "admin",
                "-g",
                "observer",
                "--data",
                "d",
                "-r",
                "r",
                "ada")
            .output());
    assertEquals(
        "user password ada --password-file f\n",
        cli.run("user", "password", "ada", "--password-file", "f").output());
    assertEquals("user remove ada\n", cli.run("user", "remove", "ada").output());
    assertEquals(
        "user grant ada admin clerk --custom-roles\n",
        cli.run("user", "roles", "grant", "--roles", "admin,clerk", "--custom-roles", "ada")
            .output());
    assertEquals(
        "user revoke ada admin\n",
        cli.run("user", "roles", "deny", "--roles", "admin", "ada").output());
    Ran damaged = failing(ExitCode.FAILED, "data", "check", "stores/c");
    assertEquals("data check stores/c\n", damaged.output());
    assertEquals("no store\nisogrid: failed: isogrid data check, exitCode=1\n", damaged.errors());
  }

  @Test
  void completion_knowsAllCommandsOfTheLauncher() {
    String script = output("completion bash");
    for (String command : List.of("server", "user", "data", "backup", "cli", "wordcount")) {
      assertTrue(script.contains("_picocli_isogrid_" + command), command);
    }
  }

  @Test
  void import_ofLongKeys_keepsThem() throws IOException {
    output("create cache --template org.infinispan.LOCAL c");
    output("create cache --template org.infinispan.LOCAL d");
    output("create cache proto '%s'".formatted(PROTO));
    String umlauts = "ö".repeat(5000);
    String bytes = "yv4A".repeat(3000);
    Path file =
        Files.writeString(
            folder.resolve("long.json"),
            """
            {"key":"%s","value":"text","ttl":600}
            {"key":{"base64":"%s"},"value":"bytes","keyType":"application/octet-stream"}
            """
                .formatted(umlauts, bytes));
    assertEquals("imported 2 entries\n", output("import -c c " + file));
    Path copy = folder.resolve("copy.json");
    assertEquals("exported 2 entries\n", output("export -c c " + copy));
    String exported = Files.readString(copy);
    assertTrue(exported.contains('"' + umlauts + '"') && exported.contains("\"ttl\":"), exported);
    assertTrue(exported.contains("{\"base64\":\"" + bytes + "\"}"), exported);
    assertEquals("imported 2 entries\n", output("import -c d " + copy));
    Path text =
        Files.writeString(
            folder.resolve("text.json"),
            "{\"key\":\"%s\",\"value\":\"v\",\"keyType\":\"text/plain\"}".formatted(umlauts));
    assertEquals("imported 1 entries\n", output("import -c proto " + text));
    assertTrue(output("export -c proto --text -").contains(umlauts));
  }

  @Test
  void export_thenImport_keepsEveryByte() throws IOException {
    output("create cache --template org.infinispan.LOCAL c");
    output("create cache --template org.infinispan.LOCAL d");
    output("create cache proto '%s'".formatted(PROTO));
    output("put -c c text 'with \"quotes\", commas'\nput -c c --ttl 600 short x");
    Path bytes = Files.write(folder.resolve("bytes"), new byte[] {0, (byte) 0xff, '\n', ',', '"'});
    output("put -c c --hex --file %s 0xFF00".formatted(bytes));
    output(
        "put -c proto k v\n"
            + "put -c proto --encoding application/json j '{\"_type\":\"int32\",\"_value\":7}'");
    for (String form : new String[] {"json", "csv"}) {
      String file = folder.resolve("out." + form).toString();
      assertEquals("exported 3 entries\n", output("export -c c " + file));
      assertEquals(
          "clear\nimported 3 entries\n", output("clearcache d\necho clear\nimport -c d " + file));
      assertEquals(
          new TreeSet<>(output("export -c c --format csv -").lines().toList()),
          new TreeSet<>(output("export -c d --format csv -").lines().toList()));
      Path copy = folder.resolve("copy");
      output("get -c d --hex --file %s 0xFF00".formatted(copy));
      assertEquals(
          Files.readString(bytes, StandardCharsets.ISO_8859_1),
          Files.readString(copy, StandardCharsets.ISO_8859_1));
      String protoFile = folder.resolve("proto." + form).toString();
      output(
          "export -c proto %s\nclearcache proto\nimport -c proto %s"
              .formatted(protoFile, protoFile));
      assertEquals(
          "v\n7\n",
          output("get -c proto --accept text/plain k\nget -c proto --accept text/plain j"));
    }
  }

  @Test
  void exportThatFails_leavesNoFile() throws IOException {
    Path file = folder.resolve("none.json");
    assertEquals(ExitCode.FAILED, cli.run("export", "-c", "none", file.toString()).exitCode());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.filter(each -> each.toString().contains("none")).toList());
    }
  }

  @Test
  void importOfTextAndJson_convertsForTheCache() {
    output("create cache proto '%s'".formatted(PROTO));
    Ran ran =
        cli.runWith(
            """
            {"key":"a","value":"text"}

            {"key":"b","value":{"_type":"int32","_value":7},"ttl":60}
            """,
            "-c",
            url(),
            "import",
            "-c",
            "proto",
            "-");
    assertEquals("imported 2 entries\n", ran.output(), ran::errors);
    assertEquals("7\n", output("get -c proto --accept text/plain b"));
    String text = output("export -c proto --text -");
    assertTrue(text.contains("{\"key\":\"a\",\"value\":\"text\"}\n"), text);
    assertTrue(text.contains("\"ttl\":60"), text);
  }

  @Test
  void importOfAMalformedLine_namesTheLine() {
    output("create cache --template org.infinispan.LOCAL c");
    Ran ran =
        cli.runWith(
            "{\"key\":\"a\",\"value\":\"1\"}\n{\"key\"\n", "-c", url(), "import", "-c", "c", "-");
    assertEquals(ExitCode.FAILED, ran.exitCode());
    assertTrue(ran.errors().startsWith("isogrid: line 2: no JSON"), ran.errors());
  }

  @Test
  void watch_showsChanges() throws InterruptedException {
    output("create cache --template org.infinispan.LOCAL c");
    AtomicBoolean isOver = new AtomicBoolean();
    Thread writer =
        Thread.ofVirtual()
            .start(() -> {
              // The stream may begin at any time, so there are changes until it has ended.
              while (!isOver.get()) {
                cli.run("put", "-c", "c", "k", "v");
              }
            });
    Ran ran;
    try {
      ran = cli.run("--output", "json", "watch", "--count", "2", "c");
    } finally {
      isOver.set(true);
      writer.join();
    }
    assertEquals(ExitCode.DONE, ran.exitCode(), ran::errors);
    assertEquals(2, ran.output().lines().count());
    assertTrue(ran.output().contains("\"key\":\"k\"}"), ran.output());
  }

  @Test
  void completion_knowsCommandsAndOptions() {
    Ran ran = cli.run("completion", "bash");
    assertTrue(ran.output().contains("clearcache"), ran.errors());
    assertTrue(ran.output().contains("--max-idle"));
    assertEquals(ExitCode.USAGE, cli.run("completion", "fish").exitCode());
  }
}
