package dev.isogrid.server.rest;

import dev.isogrid.server.backup.BackupDesk;
import dev.isogrid.server.backup.BackupOrder;
import dev.isogrid.server.backup.BusyException;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.wire.MediaTypes;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Requests about backups and restores. Thread-safe. */
final class BackupRoutes {
  private static final List<String> CONTAINERS =
      List.of("rest/v2/container", "rest/v2/cluster", "rest/v3/container", "rest/v3/cluster");

  private final BackupDesk desk;
  private final List<Route> routes = new ArrayList<>();

  BackupRoutes(ServerContext context) {
    this.desk = new BackupDesk(context);
  }

  List<Route> routes() {
    add(Verb.GET, "/backups", _ -> Answer.json(new Json().values(desk.names())));
    add(Verb.POST, "/backups/*", this::create);
    add(Verb.GET, "/backups/*", this::get);
    add(Verb.DELETE, "/backups/*", this::delete);
    addAction("/backups", _ -> Answer.json(new BackupReport(desk).backups()));
    add(Verb.GET, "/restores", _ -> Answer.json(new Json().values(desk.restoreNames())));
    addAction("/restores", _ -> Answer.json(new BackupReport(desk).restores()));
    add(Verb.POST, "/restores/*", new Restoring());
    add(Verb.GET, "/restores/*", this::restore);
    add(Verb.DELETE, "/restores/*", this::forgetRestore);
    return routes;
  }

  private void add(Verb verb, String path, Route.Handler handler) {
    for (String container : CONTAINERS) {
      routes.add(Route.of(verb, container + path, null, handler));
    }
  }

  private void addAction(String path, Route.Handler handler) {
    for (String container : CONTAINERS) {
      routes.add(Route.of(Verb.GET, container + path, "detailed", handler));
    }
  }

  private static String name(AdminRequest request) {
    return request.path().getLast();
  }

  private static RestProblem conflict(String text) {
    return new RestProblem(HttpResponseStatus.CONFLICT, text);
  }

  private static Answer accepted() {
    return new Answer.Empty(HttpResponseStatus.ACCEPTED);
  }

  private static Answer failed(BackupDesk.Status status) {
    return new Answer.Text(
        HttpResponseStatus.INTERNAL_SERVER_ERROR, MediaTypes.TEXT_PLAIN, status.text());
  }

  private Answer create(AdminRequest request) {
    BackupOrder order = BackupOrder.read(request.body());
    String name = name(request);
    try {
      if (!desk.create(name, order.selection())) {
        throw conflict(
            "backup exists already: name=%s; choose another name or delete it".formatted(name));
      }
    } catch (BusyException busy) {
      throw conflict(String.valueOf(busy.getMessage()));
    }
    return accepted();
  }

  private Answer get(AdminRequest request) {
    String name = name(request);
    BackupDesk.Status status = desk.backup(name);
    return switch (status.state()) {
      case NONE -> Answer.notFound();
      case RUNNING -> accepted();
      case DONE -> new Answer.Archive(desk.archive(name));
      case FAILED -> failed(status);
    };
  }

  private Answer delete(AdminRequest request) {
    try {
      return deleted(desk.delete(name(request)));
    } catch (IOException failure) {
      throw new RestProblem(
          HttpResponseStatus.INTERNAL_SERVER_ERROR,
          "backup can't be deleted: name=%s, reason=%s; look at the disk"
              .formatted(name(request), failure));
    }
  }

  private static Answer deleted(BackupDesk.State state) {
    return switch (state) {
      case NONE -> Answer.notFound();
      case RUNNING -> accepted();
      case DONE, FAILED -> Answer.noContent();
    };
  }

  private Answer restore(AdminRequest request) {
    BackupDesk.Status status = desk.restore(name(request));
    return switch (status.state()) {
      case NONE -> Answer.notFound();
      case RUNNING -> accepted();
      case DONE ->
          new Answer.Text(HttpResponseStatus.CREATED, MediaTypes.TEXT_PLAIN, status.text());
      case FAILED -> failed(status);
    };
  }

  private Answer forgetRestore(AdminRequest request) {
    return deleted(desk.forgetRestore(name(request)));
  }

  /** Restores an archive of the server, or one that is the body of the request. */
  private final class Restoring implements Route.UploadHandler {
    @Override
    public boolean isUpload(AdminRequest request) {
      String type = request.contentType();
      return type != null && (FormReader.isForm(type) || type.startsWith("application/zip"));
    }

    @Override
    public BackupDesk.Upload begin(AdminRequest request) {
      String name = name(request);
      try {
        checkUnused(name);
        return desk.upload(name);
      } catch (BusyException busy) {
        throw conflict(String.valueOf(busy.getMessage()));
      } catch (IOException failure) {
        throw new RestProblem(
            HttpResponseStatus.INSUFFICIENT_STORAGE,
            "archive can't be kept: name=%s, reason=%s; look at the disk of the data folder"
                .formatted(name, DiskFailure.reason(failure)));
      }
    }

    private void checkUnused(String name) {
      if (desk.restore(name).state() != BackupDesk.State.NONE) {
        throw conflict(
            "restore exists already: name=%s; choose another name or delete it".formatted(name));
      }
    }

    @Override
    public Answer answer(AdminRequest request) {
      BackupDesk.Upload upload = request.upload();
      if (upload != null) {
        upload.restore(UploadedForm.extraction(String.valueOf(request.contentType())));
        return accepted();
      }
      String type = request.contentType();
      if (type != null && !type.startsWith(MediaTypes.JSON)) {
        throw new RestProblem(
            HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
            "send JSON with a location, or an archive as multipart/form-data or application/zip:"
                + " Content-Type="
                + type);
      }
      BackupOrder order = BackupOrder.read(request.body());
      String location = order.location();
      if (location == null) {
        throw RestProblem.badRequest(
            "location missing: name the archive of a backup, or upload one");
      }
      String name = name(request);
      try {
        checkUnused(name);
        desk.restore(name, location, order.selection());
      } catch (BusyException busy) {
        throw conflict(String.valueOf(busy.getMessage()));
      }
      return accepted();
    }
  }
}
