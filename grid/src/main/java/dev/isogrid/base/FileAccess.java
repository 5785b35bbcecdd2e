package dev.isogrid.base;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/** The steps by which files are replaced; a test lets them fail. Methods block. */
public interface FileAccess {
  /** The real file system. */
  FileAccess SYSTEM =
      new FileAccess() {
        @Override
        public FileChannel create(Path file, FileAttribute<?>... attributes) throws IOException {
          return FileChannel.open(
              file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes);
        }

        @Override
        public int write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
          return channel.write(bytes, position);
        }

        @Override
        public void force(FileChannel channel) throws IOException {
          channel.force(true);
        }

        @Override
        public void move(Path draft, Path file) throws IOException {
          Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void forceFolder(Path folder) throws IOException {
          if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
              channel.force(true);
            }
          }
        }
      };

  /** Creates a file for writing, which must not exist. */
  FileChannel create(Path file, FileAttribute<?>... attributes) throws IOException;

  /** Writes some of the bytes; returns their number. */
  int write(FileChannel channel, ByteBuffer bytes, long position) throws IOException;

  /** Makes the written bytes survive a power failure. */
  void force(FileChannel channel) throws IOException;

  /** Renames a file in one step, replacing an existing one. */
  void move(Path draft, Path file) throws IOException;

  /**
   * Makes new and deleted names in a folder survive a power failure. On systems other than POSIX,
   * renaming does that.
   */
  void forceFolder(Path folder) throws IOException;
}
