package dev.isogrid.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Commands on backups of a server. */
final class BackupCommands {
  private static final String[] BACKUPS = {"container", "backups"};
  private static final String[] RESTORES = {"container", "restores"};
  private static final String FILE = "--file";
  private static final String UPLOAD = "--upload";
  private static final String NAME = "--name";

  /** The options that select resources, and what the server calls them. */
  private static final Map<String, String> KINDS = kinds();

  /** How often the server is asked whether it is done. */
  private static final long POLL_MILLIS = 200;

  /** The largest part of an archive that is written at once. */
  private static final int COPIED_BYTES = 1 << 16;

  private BackupCommands() {}

  private static Map<String, String> kinds() {
    Map<String, String> kinds = new LinkedHashMap<>();
    for (String kind : List.of("caches", "templates", "counters", "proto-schemas")) {
      kinds.put("--" + kind, kind);
    }
    return kinds;
  }

  static List<Command> all() {
    Command create =
        selecting(
                Command.of(
                    "create",
                    "Makes a backup on the server while it serves, and waits for its end.",
                    BackupCommands::create))
            .operand("NAME", "Name of the backup.");
    Command restore =
        selecting(
                Command.of(
                    "restore",
                    "Restores a backup, and waits for its end. Existing resources stay, except"
                        + " entries and values of the same names.",
                    BackupCommands::restore))
            .flag("-u " + UPLOAD, "The backup is a file of this machine.")
            .option("-n " + NAME, "NAME", "Name of the restore; default cli.")
            .operand("BACKUP", "Name of a backup of the server, or with -u a file.");
    Command backup =
        Command.group("backup", "Backups of the server: caches, counters, schemas, templates.")
            .with(create)
            .with(Command.of("ls", "Lists the backups.", BackupCommands::list))
            .with(Command.of("list", "As ls.", BackupCommands::list))
            .with(
                Command.of("get", "Writes a backup into a file.", BackupCommands::get)
                    .option("-f " + FILE, "FILE", "File to write; default NAME.zip.")
                    .operand("NAME", "Name of the backup."))
            .with(
                Command.of(
                        "delete",
                        "Deletes a backup, or cancels one that is being made.",
                        BackupCommands::delete)
                    .operand("NAME", "Name of the backup."))
            .with(restore);
    return List.of(backup);
  }

  private static Command selecting(Command command) {
    KINDS.forEach((option, kind) ->
        command.option(
            option,
            "NAMES",
            "Names of %s with commas between them, or *; without any such option all is meant."
                .formatted(kind)));
    return command;
  }

  /** The selected resources, or all. */
  private static Map<String, List<String>> resources(Call call) {
    Map<String, List<String>> selected = new LinkedHashMap<>();
    KINDS.forEach((option, kind) -> {
      String names = call.text(option);
      if (names != null) {
        selected.put(kind, List.of(names.strip().split(" *, *", -1)));
      }
    });
    if (selected.isEmpty()) {
      KINDS.values().forEach(kind -> selected.put(kind, List.of("*")));
    }
    return selected;
  }

  private static void create(Call call) {
    String name = call.operand(0);
    call.send(
        RestRequest.post(BACKUPS[0], BACKUPS[1], name)
            .header("Content-Type", "application/json")
            .body(JsonText.line(Map.of("resources", resources(call)))));
    Progress progress = Progress.of("entries", call.session());
    try {
      while (call.send(RestRequest.head(BACKUPS[0], BACKUPS[1], name)).isUnderWay()) {
        show(call, progress, BACKUPS, name);
        pause();
      }
    } catch (RestFailure failure) {
      call.send(RestRequest.get(BACKUPS[0], BACKUPS[1], name)); // says why, as HEAD can't
      throw failure;
    } finally {
      progress.end();
    }
    call.printer().text("made backup " + name);
  }

  /** Shows how far the server is. */
  private static void show(Call call, Progress progress, String[] kind, String name) {
    RestRequest details = RestRequest.get(kind).query("action", "detailed");
    for (Object each : JsonText.array(call.send(details).json())) {
      Map<?, ?> row = JsonText.object(each);
      if (name.equals(JsonText.text(row.get("name")))) {
        long done = JsonText.number(row.get("entries_done"), 0);
        progress.at(done, done, JsonText.number(row.get("entries_total"), 0));
      }
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted; the server goes on", e);
    }
  }

  private static void list(Call call) {
    List<List<String>> rows = new ArrayList<>();
    RestRequest details = RestRequest.get(BACKUPS).query("action", "detailed");
    for (Object each : JsonText.array(call.send(details).json())) {
      Map<?, ?> row = JsonText.object(each);
      long millis = JsonText.number(row.get("written_millis"), 0);
      rows.add(
          List.of(
              JsonText.text(row.get("name")),
              JsonText.text(row.get("state")).toLowerCase(Locale.ROOT),
              String.valueOf(JsonText.number(row.get("bytes"), 0)),
              millis > 0 ? Instant.ofEpochMilli(millis).toString() : "-"));
    }
    call.printer().table(List.of("name", "state", "bytes", "written"), rows);
  }

  private static void get(Call call) {
    String name = call.operand(0);
    String given = call.text(FILE);
    Path file = Path.of(given == null ? name + ".zip" : given);
    Path draft = Path.of(file + ".part");
    RestRequest head = RestRequest.head(BACKUPS[0], BACKUPS[1], name);
    if (call.send(head).isUnderWay()) {
      throw new CommandFailure("the backup is being made: name=%s; try again".formatted(name));
    }
    RestRequest request = RestRequest.get(BACKUPS[0], BACKUPS[1], name);
    try (InputStream in = call.session().connection().stream(request)) {
      try {
        copy(in, draft, Progress.of("KiB", call.session()));
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      throw new CommandFailure(
          "the backup was not written: name=%s, file=%s, reason=%s; name another file, or make room"
              .formatted(name, file, e),
          e);
    }
    call.printer().text("wrote " + file);
  }

  private static void copy(InputStream in, Path file, Progress progress) throws IOException {
    byte[] part = new byte[COPIED_BYTES];
    long bytes = 0;
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int read = in.read(part); read >= 0; read = in.read(part)) {
        out.write(part, 0, read);
        bytes += read;
        progress.at(bytes >> 10, 0, 0);
      }
    } finally {
      progress.end();
    }
  }

  private static void delete(Call call) {
    call.send(RestRequest.delete(BACKUPS[0], BACKUPS[1], call.operand(0)));
  }

  private static void restore(Call call) {
    String given = call.text(NAME);
    String name = given == null ? "cli" : given;
    RestRequest state = RestRequest.get(RESTORES[0], RESTORES[1], name);
    boolean isThere =
        call.session().connection().exists(RestRequest.head(RESTORES[0], RESTORES[1], name));
    if (isThere) {
      throw new CommandFailure(
          "another restore has this name: name=%s; give --name NAME".formatted(name));
    }
    if (call.flag(UPLOAD)) {
      upload(call, name);
    } else {
      call.send(
          RestRequest.post(RESTORES[0], RESTORES[1], name)
              .header("Content-Type", "application/json")
              .body(
                  JsonText.line(
                      Map.of("location", call.operand(0), "resources", resources(call)))));
    }
    Progress progress = Progress.of("entries", call.session());
    boolean isOver = false; // to forget one that is under way would cancel it
    try {
      RestReply reply = call.send(state);
      while (reply.isUnderWay()) {
        show(call, progress, RESTORES, name);
        pause();
        reply = call.send(state);
      }
      isOver = true;
      progress.end();
      call.printer().text("restored " + reply.text());
    } catch (RestFailure failure) {
      isOver = failure.isEnd();
      throw failure;
    } finally {
      progress.end();
      if (isOver) {
        call.send(RestRequest.delete(RESTORES[0], RESTORES[1], name)); // so that the name is free
      }
    }
  }

  private static void upload(Call call, String name) {
    Path file = Path.of(call.operand(0));
    try {
      RestRequest request =
          RestRequest.post(RESTORES[0], RESTORES[1], name)
              .form("backup", file, "resources", JsonText.line(resources(call)));
      call.session().connection().upload(request);
    } catch (IOException e) {
      throw new CommandFailure("no such file: file=%s; name another one".formatted(file), e);
    }
  }
}
