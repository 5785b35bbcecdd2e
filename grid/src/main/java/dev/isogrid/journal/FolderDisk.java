package dev.isogrid.journal;

import dev.isogrid.base.FolderLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A folder of the file system that this process alone writes to. */
public final class FolderDisk implements Disk {
  /** The file whose lock says that a process uses the folder. */
  static final String LOCK_NAME = FolderLock.FILE_NAME;

  private final Path folder;
  private final boolean isReadOnly;
  private final @Nullable FolderLock lock;

  private FolderDisk(Path folder, @Nullable FolderLock lock) {
    this.folder = folder;
    this.isReadOnly = lock == null;
    this.lock = lock;
  }

  /**
   * Opens a folder for writing; creates it if there is none.
   *
   * @throws IOException if another process or another cache uses it; the message says which
   */
  public static FolderDisk open(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    createFolders(absolute);
    return new FolderDisk(absolute, FolderLock.take(absolute));
  }

  /** Opens a folder that exists, whoever uses it; nothing in it can be changed. */
  public static FolderDisk readOnly(Path folder) {
    return new FolderDisk(folder.toAbsolutePath(), null);
  }

  /** Creates a folder and those above it, so that their names outlive a loss of power. */
  private static void createFolders(Path folder) throws IOException {
    List<Path> missing = new ArrayList<>();
    for (Path each = folder; each != null && !Files.isDirectory(each); each = each.getParent()) {
      missing.add(each);
    }
    Files.createDirectories(folder);
    for (Path each : missing) {
      forceParent(each);
    }
  }

  /** Makes the name of a folder, or its absence, outlive a loss of power. */
  static void forceParent(Path folder) throws IOException {
    forceFolder(Objects.requireNonNull(folder.toAbsolutePath().getParent()));
  }

  private static void forceFolder(Path folder) throws IOException {
    if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  @Override
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      files.forEach(file -> names.add(String.valueOf(file.getFileName())));
    }
    return names;
  }

  @Override
  public boolean exists(String name) {
    return Files.exists(folder.resolve(name));
  }

  @Override
  public DiskFile create(String name) throws IOException {
    return open(
        name,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return isReadOnly
        ? open(name, StandardOpenOption.READ)
        : open(name, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private DiskFile open(String name, OpenOption... options) throws IOException {
    return new ChannelFile(FileChannel.open(folder.resolve(name), options));
  }

  @Override
  public long changedMillis(String name) throws IOException {
    return Files.getLastModifiedTime(folder.resolve(name)).toMillis();
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(folder.resolve(name));
  }

  @Override
  public void forceNames() throws IOException {
    forceFolder(folder);
  }

  @Override
  public String path(String name) {
    return (name.isEmpty() ? folder : folder.resolve(name)).toString();
  }

  @Override
  public void close() throws IOException {
    if (lock != null) {
      lock.close();
    }
  }

  private record ChannelFile(FileChannel channel) implements DiskFile {
    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      long at = position;
      while (target.hasRemaining()) {
        int count = channel.read(target, at);
        if (count < 0) {
          return;
        }
        at += count;
      }
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      long at = position;
      while (source.hasRemaining()) {
        at += channel.write(source, at);
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      channel.truncate(size);
    }

    @Override
    public void force() throws IOException {
      channel.force(false); // the size as well, but not the time of the last write
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
