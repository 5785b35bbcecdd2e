package dev.isogrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.isogrid.cli.CommandLineSession.Ran;
import dev.isogrid.server.Protection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupCommandsTest {
  @TempDir Path folder;
  private CommandServer server;
  private CommandLineSession cli;

  @BeforeEach
  void start() {
    server = new CommandServer(Protection.NONE, folder.resolve("data"));
    cli = new CommandLineSession(folder, server.url());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String output(String script) {
    Ran ran = cli.script(script);
    assertEquals("", ran.errors());
    assertEquals(ExitCode.DONE, ran.exitCode());
    return ran.output();
  }

  @Test
  void backup_createdAndRestored_bringsEntriesBack() {
    output("create cache --template org.infinispan.LOCAL c\nput -c c a 1\nput -c c b 2");
    assertEquals("made backup one\n", output("backup create --caches=c --counters=* one"));
    String list = output("backup ls");
    assertTrue(
        list.matches("(?s)name +state +bytes +written\\s+one +done +[1-9][0-9]+ +20.*"), list);
    output("clearcache c");
    assertEquals(
        "restored caches=[c], entries=2, expired=0, configurations kept=[]\n",
        output("backup restore --caches=c one"));
    assertEquals("1\n", output("get -c c a"));
    Path file = folder.resolve("got.zip");
    assertEquals("wrote " + file + "\n", output("backup get --file=%s one".formatted(file)));
    output("backup delete one\ndrop cache c");
    assertEquals(
        "restored caches=[c], entries=2, expired=0, configurations kept=[]\n",
        output("backup restore -u " + file));
    assertEquals("2\n", output("get -c c b"));
  }

  /** A server that begins a restore, and then has no time to tell how far it is. */
  @Test
  void restore_whoseServerIsBusy_isNotCancelled() throws IOException {
    List<String> requests = new CopyOnWriteArrayList<>();
    HttpServer busy =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    busy.createContext(
        "/rest/v2/",
        exchange -> {
          String path = exchange.getRequestURI().getPath().substring("/rest/v2/".length());
          String request = exchange.getRequestMethod() + " " + path;
          requests.add(request);
          int status =
              switch (request) {
                case "HEAD container/restores/cli" -> 404;
                case "POST container/restores/cli" -> 202;
                case "GET container/restores/cli" -> 503;
                default -> 204;
              };
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    busy.start();
    try {
      String url = "http://127.0.0.1:" + busy.getAddress().getPort();
      Ran ran = new CommandLineSession(folder, url).run("backup", "restore", "one");
      assertEquals(ExitCode.FAILED, ran.exitCode());
      assertTrue(ran.errors().contains("can't do this now"), ran::errors);
      assertTrue(requests.contains("GET container/restores/cli"), requests::toString);
      assertFalse(requests.contains("DELETE container/restores/cli"), requests::toString);
    } finally {
      busy.stop(0);
    }
  }

  @Test
  void backup_thatFails_saysWhy() {
    Ran ran = cli.run("backup", "create", "--caches=nowhere", "x");
    assertEquals(ExitCode.FAILED, ran.exitCode());
    assertTrue(ran.errors().contains("kind=caches, name=nowhere"), ran.errors());
    ran = cli.run("backup", "get", "y");
    assertEquals(ExitCode.FAILED, ran.exitCode());
    assertTrue(Files.notExists(folder.resolve("y.zip")));
    ran = cli.run("backup", "restore", "-u", folder.resolve("none.zip").toString());
    assertTrue(ran.errors().contains("no such file: file="), ran.errors());
    ran = cli.run("backup", "restore", "none");
    assertTrue(ran.errors().contains("no such archive: location=none"), ran.errors());
  }
}
