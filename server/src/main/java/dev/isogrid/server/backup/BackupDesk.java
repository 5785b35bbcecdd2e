package dev.isogrid.server.backup;

import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.FileAccess;
import dev.isogrid.server.net.ServerContext;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes, stores and restores the archives of a server, one at a time: each occupies a processor and
 * the disk. Archives are files in the folder {@code backups} of the data folder. Thread-safe;
 * methods may block.
 */
public final class BackupDesk {
  private static final System.Logger log = System.getLogger(BackupDesk.class.getName());

  private static final String SUFFIX = ".zip";
  private static final String UPLOAD_PREFIX = ".upload-";

  /** Names that are files on all systems, and never hidden. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

  /** The most remembered outcomes for clients. */
  private static final int OUTCOMES_MAX = 100;

  /** The state of a backup or restore. */
  public enum State {
    /** It does not exist. */
    NONE,
    /** It is in progress. */
    RUNNING,
    /** It is complete. */
    DONE,
    /** It failed. */
    FAILED
  }

  /**
   * The progress of a backup or a restore.
   *
   * @param text why it failed, or what was done; may be empty
   * @param entries that are done while it runs
   * @param total the entries that there are, about, while it runs; 0 if that is not known yet
   */
  public record Status(State state, String text, long entries, long total) {
    static final Status NONE = new Status(State.NONE, "");

    Status(State state, String text) {
      this(state, text, 0, 0);
    }
  }

  /** The one backup, restore or upload in progress. */
  private static final class Job {
    private final boolean isRestore;
    private final String name;
    private final BackupProgress progress = new BackupProgress();

    Job(boolean isRestore, String name) {
      this.isRestore = isRestore;
      this.name = name;
    }

    Status status() {
      return new Status(State.RUNNING, "", progress.entries(), progress.total());
    }

    @Override
    public String toString() {
      return (isRestore ? "restore " : "backup ") + name;
    }
  }

  private final ServerContext context;
  private final FileAccess access;

  // Guarded by this.
  private @Nullable Job current;
  private final Map<String, Status> failedBackups = outcomes();
  private final Map<String, Status> restores = outcomes();

  /** Begins; deletes incomplete files of an earlier process. */
  public BackupDesk(ServerContext context) {
    this(context, FileAccess.SYSTEM);
  }

  /** The same with other access to files. */
  public BackupDesk(ServerContext context, FileAccess access) {
    this.context = context;
    this.access = access;
    Path folder = context.catalog().backupFolder();
    if (folder != null && Files.isDirectory(folder)) {
      deleteDrafts(folder);
    }
  }

  private static Map<String, Status> outcomes() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, Status> eldest) {
        return size() > OUTCOMES_MAX;
      }
    };
  }

  private static void deleteDrafts(Path folder) {
    try (DirectoryStream<Path> drafts =
        Files.newDirectoryStream(folder, file -> isDraft(String.valueOf(file.getFileName())))) {
      for (Path draft : drafts) {
        Files.delete(draft);
      }
    } catch (IOException failure) {
      log.log(Level.WARNING, "half written archives can't be deleted: folder=" + folder, failure);
    }
  }

  private static boolean isDraft(String name) {
    return name.endsWith(ArchiveFile.DRAFT_SUFFIX) || name.startsWith(UPLOAD_PREFIX);
  }

  private Path folder() {
    Path folder = context.catalog().backupFolder();
    if (folder == null) {
      throw new InvalidRequestException(
          "no folder for backups: the server has no data folder; start it with --data FOLDER");
    }
    return folder;
  }

  private static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidRequestException(
          "invalid name of a backup: name=%s; use up to 100 letters, digits, dots, - and _"
              .formatted(name));
    }
  }

  private Path file(String name) {
    checkName(name);
    return folder().resolve(name + SUFFIX);
  }

  // ---- one at a time

  private synchronized Job begin(boolean isRestore, String name) {
    Job running = current;
    if (running != null) {
      throw new BusyException(
          "another one is under way: running=%s; wait for its end, or delete it"
              .formatted(running));
    }
    Job begun = new Job(isRestore, name);
    current = begun;
    return begun;
  }

  private synchronized void end(@Nullable Job job) {
    if (current == job) {
      current = null;
    }
  }

  /** The job if it is the one that is under way, or null. */
  private synchronized @Nullable Job running(boolean isRestore, String name) {
    Job job = current;
    return job != null && job.isRestore == isRestore && job.name.equals(name) ? job : null;
  }

  private boolean cancel(boolean isRestore, String name) {
    Job running = running(isRestore, name);
    if (running != null) {
      running.progress.cancel();
    }
    return running != null;
  }

  /** Returns the names of all complete archives, sorted. */
  public List<String> names() {
    Path folder = folder();
    Set<String> names = new TreeSet<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
        for (Path file : files) {
          String name = String.valueOf(file.getFileName());
          names.add(name.substring(0, name.length() - SUFFIX.length()));
        }
      } catch (IOException failure) {
        throw new InvalidRequestException(
            "backups can't be listed: folder=%s, reason=%s; see to its permissions"
                .formatted(folder, failure),
            failure);
      }
    }
    return List.copyOf(names);
  }

  /** Returns the names of all complete archives, of the one that is made, and of failed ones. */
  public List<String> allNames() {
    Set<String> names = new TreeSet<>(names());
    synchronized (this) {
      names.addAll(failedBackups.keySet());
      Job running = current;
      if (running != null && !running.isRestore) {
        names.add(running.name);
      }
    }
    return List.copyOf(names);
  }

  /** Returns how far a backup is. */
  public Status backup(String name) {
    Path file = file(name);
    synchronized (this) {
      Job running = running(false, name);
      if (running != null) {
        return running.status();
      }
      Status failed = failedBackups.get(name);
      if (failed != null) {
        return failed;
      }
    }
    return Files.exists(file) ? new Status(State.DONE, "") : Status.NONE;
  }

  /** The file of a complete archive. */
  public Path archive(String name) {
    return file(name);
  }

  /**
   * Begins a backup.
   *
   * @return false if a backup of this name exists
   * @throws BusyException if another job is in progress
   * @throws InvalidRequestException if the name is not allowed, or there is no folder
   */
  public boolean create(String name, BackupSelection selection) {
    Path file = file(name);
    Job job = begin(false, name);
    boolean isBegun = false;
    try {
      if (Files.exists(file)) {
        return false;
      }
      synchronized (this) {
        failedBackups.remove(name);
      }
      context.node().env().scheduler().execute(() -> run(job, () -> make(file, selection, job)));
      isBegun = true;
      return true;
    } finally {
      if (!isBegun) {
        end(job);
      }
    }
  }

  /** Work with a text as its result. */
  @FunctionalInterface
  private interface Work {
    String run() throws IOException;
  }

  private void run(Job job, Work work) {
    Status outcome = new Status(State.FAILED, "the server ended it");
    try {
      outcome = new Status(State.DONE, work.run());
      String done = outcome.text();
      log.log(Level.INFO, () -> job + " done" + (done.isEmpty() ? "" : ": " + done));
    } catch (IOException | GridException failure) {
      outcome = new Status(State.FAILED, String.valueOf(failure.getMessage()));
      log.log(Level.WARNING, job + " failed: " + failure.getMessage(), failure);
    } catch (RuntimeException | Error bug) { // tidy: the client must learn of it
      outcome = new Status(State.FAILED, bug.toString());
      log.log(Level.ERROR, job + " failed", bug);
    } finally {
      note(job, outcome);
      end(job);
    }
  }

  private synchronized void note(Job job, Status outcome) {
    if (job.isRestore) {
      restores.put(job.name, outcome);
    } else if (outcome.state() == State.FAILED && !job.progress.isCancelled()) {
      failedBackups.put(job.name, outcome);
    }
  }

  private String make(Path file, BackupSelection selection, Job job) throws IOException {
    try {
      Files.createDirectories(folder());
      try (ArchiveFile out = new ArchiveFile(file, access)) {
        long entries;
        try (ArchiveWriter archive = new ArchiveWriter(out)) {
          entries = new BackupMaker(context, selection, job.progress).write(archive);
          out.keep();
        }
        return "file=%s, entries=%d, bytes=%d".formatted(file, entries, Files.size(file));
      }
    } catch (IOException failure) {
      throw new IOException(
          ("archive can't be written, and what there was of it is deleted: file=%s, reason=%s; make"
                  + " room on its disk or see to its permissions, and try again")
              .formatted(file, failure),
          failure);
    }
  }

  /**
   * Deletes a backup. A backup in progress is cancelled, and disappears soon.
   *
   * @return its state before
   */
  public State delete(String name) throws IOException {
    Path file = file(name);
    if (cancel(false, name)) {
      return State.RUNNING;
    }
    boolean wasThere = Files.deleteIfExists(file);
    synchronized (this) {
      boolean hasFailed = failedBackups.remove(name) != null;
      return hasFailed ? State.FAILED : wasThere ? State.DONE : State.NONE;
    }
  }

  /** Returns the names of the latest restores. */
  public synchronized List<String> restoreNames() {
    Set<String> names = new TreeSet<>(restores.keySet());
    Job running = current;
    if (running != null && running.isRestore) {
      names.add(running.name);
    }
    return List.copyOf(names);
  }

  /** The state of a restore. */
  public synchronized Status restore(String name) {
    Job running = running(true, name);
    return running != null ? running.status() : restores.getOrDefault(name, Status.NONE);
  }

  /**
   * Begins to restore an archive of this server.
   *
   * @param name of the restore
   * @param archive of the backup
   * @throws BusyException if another job is in progress
   * @throws InvalidRequestException if there is no such archive
   */
  public void restore(String name, String archive, BackupSelection selection) {
    checkName(name);
    boolean hasSuffix = archive.endsWith(SUFFIX);
    Path file =
        file(hasSuffix ? archive.substring(0, archive.length() - SUFFIX.length()) : archive);
    if (!Files.exists(file)) {
      throw new InvalidRequestException(
          "no such archive: location=%s; name one of the folder %s, or upload it"
              .formatted(archive, folder()));
    }
    begin(name, file, selection, begin(true, name));
  }

  private void begin(String name, Path file, BackupSelection selection, Job job) {
    boolean isBegun = false;
    try {
      synchronized (this) {
        restores.remove(name);
      }
      context
          .node()
          .env()
          .scheduler()
          .execute(() -> run(job, () -> load(file, file.toString(), selection, job)));
      isBegun = true;
    } finally {
      if (!isBegun) {
        end(job);
      }
    }
  }

  private String load(Path file, String shown, BackupSelection selection, Job job)
      throws IOException {
    try (ArchiveReader archive = ArchiveReader.open(file, shown)) {
      BackupRestorer.Restored done =
          new BackupRestorer(context, archive, selection, job.progress).restore();
      return "caches=%s, entries=%d, expired=%d, configurations kept=%s"
          .formatted(done.caches(), done.entries(), done.expired(), done.kept());
    }
  }

  /** Forgets a restore, or cancels it; returns its state before. */
  public synchronized State forgetRestore(String name) {
    if (cancel(true, name)) {
      return State.RUNNING;
    }
    Status known = restores.remove(name);
    return known == null ? State.NONE : known.state();
  }

  /** An archive that is being uploaded. Closing it without {@link #restore} ends the restore. */
  public final class Upload implements AutoCloseable {
    private final Job job;
    private final ArchiveFile file;
    private boolean isHandedOver;

    private Upload(Job job, ArchiveFile file) {
      this.job = job;
      this.file = file;
    }

    /** The file for the uploaded bytes. */
    public ArchiveFile file() {
      return file;
    }

    /**
     * Restores an archive and deletes the file.
     *
     * @param archive extracts the archive from the file; may return the file itself
     */
    public void restore(Extraction archive) {
      isHandedOver = true;
      context.node().env().scheduler().execute(() -> run(job, () -> loadAndDelete(archive)));
    }

    private String loadAndDelete(Extraction archive) throws IOException {
      try (file;
          ExtractedArchive extracted = archive.extract(file.draft())) {
        return load(extracted.file(), extracted.shown(), extracted.selection(), job);
      }
    }

    @Override
    public void close() throws IOException {
      if (!isHandedOver) {
        end(job);
        file.close();
      }
    }
  }

  /** Extracts the archive from an upload. */
  @FunctionalInterface
  public interface Extraction {
    /** Extracts it; blocks. */
    ExtractedArchive extract(Path uploaded) throws IOException;
  }

  /**
   * An uploaded archive, with the resources to restore. Closing it deletes only files that the
   * extraction made.
   *
   * @param shown the client's name for the archive, for messages
   * @param ownFile whether the extraction made the file
   */
  public record ExtractedArchive(
      Path file, String shown, BackupSelection selection, boolean ownFile)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      if (ownFile) {
        Files.deleteIfExists(file);
      }
    }
  }

  /**
   * Begins a restore of an archive whose upload begins now.
   *
   * @throws BusyException if another job is in progress
   */
  public Upload upload(String name) throws IOException {
    Path folder = folder();
    checkName(name);
    Job job = begin(true, name);
    boolean isBegun = false;
    try {
      Files.createDirectories(folder);
      Upload upload =
          new Upload(job, new ArchiveFile(folder.resolve(UPLOAD_PREFIX + name + SUFFIX), access));
      isBegun = true;
      return upload;
    } finally {
      if (!isBegun) {
        end(job);
      }
    }
  }
}
