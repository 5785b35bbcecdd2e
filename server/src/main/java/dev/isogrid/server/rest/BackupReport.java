package dev.isogrid.server.rest;

import dev.isogrid.server.backup.BackupDesk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Describes the backups and restores of this server in JSON. Methods may block on the disk. */
final class BackupReport {
  private static final long UNKNOWN = -1;

  private final BackupDesk desk;

  BackupReport(BackupDesk desk) {
    this.desk = desk;
  }

  /** The complete archives with their sizes, those that are made, and those that failed. */
  Json backups() {
    Json json = new Json().beginArray();
    for (String name : desk.allNames()) {
      BackupDesk.Status status = desk.backup(name);
      if (status.state() != BackupDesk.State.NONE) { // deleted meanwhile
        addStatus(json.beginObject(), name, status);
        addFile(json, desk.archive(name));
        json.endObject();
      }
    }
    return json.endArray();
  }

  /** The latest restores with their outcomes. */
  Json restores() {
    Json json = new Json().beginArray();
    for (String name : desk.restoreNames()) {
      addStatus(json.beginObject(), name, desk.restore(name)).endObject();
    }
    return json.endArray();
  }

  private static Json addStatus(Json json, String name, BackupDesk.Status status) {
    json.name("name").value(name);
    json.name("state").value(status.state().name());
    json.name("outcome").value(status.text());
    json.name("entries_done").value(status.entries());
    return json.name("entries_total").value(status.total());
  }

  private static void addFile(Json json, Path file) {
    long bytes = UNKNOWN;
    long millis = UNKNOWN;
    try {
      if (Files.exists(file)) {
        bytes = Files.size(file);
        millis = Files.getLastModifiedTime(file).toMillis();
      }
    } catch (IOException _) {
      // It was deleted meanwhile: the figures stay unknown.
    }
    json.name("bytes").value(bytes);
    json.name("written_millis").value(millis);
  }
}
