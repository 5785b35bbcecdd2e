package dev.isogrid.server.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.backup.BackupManifest.Content;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.IncomingValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives with values that are large, so that memory is what counts. */
class LargeEntriesTest {
  private static final int MIB = 1 << 20;

  @TempDir private Path folder;
  private BackupServer server;
  private CacheEngine<BinaryKey, Bytes> engine;

  @BeforeEach
  void start() {
    server = new BackupServer(folder);
    engine = Objects.requireNonNull(server.context().engines().apply("c"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static BinaryKey key(String text) {
    return BinaryKey.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private Path backUp() throws IOException {
    Path file = folder.resolve("archive.zip");
    try (ArchiveWriter archive = new ArchiveWriter(Files.newOutputStream(file))) {
      BackupProgress progress = new BackupProgress();
      long _ = new BackupMaker(server.context(), BackupSelection.all(), progress).write(archive);
    }
    return file;
  }

  private BackupRestorer.Restored restore(Path file, BackupProgress progress) throws IOException {
    try (ArchiveReader archive = ArchiveReader.open(file, "archive")) {
      return new BackupRestorer(server.context(), archive, BackupSelection.all(), progress)
          .restore();
    }
  }

  /** Otherwise thousands of large entries would be on the heap together. */
  @Test
  void restore_ofLargeEntries_writesAFewAtATime() throws IOException {
    for (int i = 0; i < 40; i++) {
      BinaryKey key = key("key " + i);
      engine.write(key, key.hash(), new KeyWrite<BinaryKey, Bytes>().put(Bytes.of(new byte[MIB])));
    }
    Path file = backUp();
    BackupProgress progress = new BackupProgress();

    assertEquals(40, restore(file, progress).entries());

    assertTrue(progress.entries() >= 30, () -> "written by rounds: " + progress.entries());
  }

  private void putInChunks(BinaryKey key, int size) {
    byte[] chunk = new byte[MIB];
    new Random(1).nextBytes(chunk);
    try (IncomingValue value = engine.newIncomingValue()) {
      for (int left = size; left > 0; left -= chunk.length) {
        engine.append(value, ByteBuffer.wrap(chunk, 0, Math.min(left, chunk.length)));
      }
      value.complete();
      KeyWrite<BinaryKey, Bytes> write = new KeyWrite<>();
      engine.write(key, key.hash(), write.put(value).expiry(3_600_000, -1).attributes(7, "a/b"));
    }
  }

  private String describe(BinaryKey key) {
    String[] found = {"none"};
    boolean _ =
        engine.peek(
            key,
            key.hash(),
            engine.newView(),
            entry -> {
              CRC32C checksum = new CRC32C();
              entry.value().writeTo(checksum::update);
              found[0] =
                  "length=%d, checksum=%08x, lifespan=%d, flags=%d, type=%s"
                      .formatted(
                          entry.value().length(),
                          checksum.getValue(),
                          entry.lifespanMillis() / 3_000_000,
                          entry.clientFlags(),
                          entry.mediaType());
            });
    return found[0];
  }

  @Test
  void valueThatIsTooLargeToBeCopied_comesBack() throws IOException {
    assertLargeValueComesBack();
  }

  private void assertLargeValueComesBack() throws IOException {
    BinaryKey key = key("large");
    putInChunks(key, 64 * MIB + 3);
    String before = describe(key);
    Path file = backUp();
    engine.clear();
    assertEquals("none", describe(key));

    assertEquals(1, restore(file, new BackupProgress()).entries());

    assertEquals(before, describe(key));
  }

  @Test
  void valueThatIsTooLargeToBeCopied_inAClusterOfOneServer_comesBack() throws IOException {
    server.close();
    server = BackupServer.clustered(folder.resolve("clustered"));
    engine = Objects.requireNonNull(server.context().engines().apply("c"));
    assertLargeValueComesBack();
  }

  /** No cache could keep it: its length does not fit the entry. */
  @Test
  void mediaTypeThatIsTooLong_isRefused() throws IOException {
    Path file = folder.resolve("archive.zip");
    try (ArchiveWriter archive = new ArchiveWriter(Files.newOutputStream(file))) {
      CacheConfig config = Objects.requireNonNull(server.context().catalog().config("c"));
      String document = CacheDocument.write("c", config, DocumentFormat.JSON, true);
      archive.add(Content.CACHE, "c", ArchiveLayout.cacheFile("c"), document, 1);
      long _ =
          archive.add(
              Content.ENTRIES,
              "c",
              ArchiveLayout.entriesFile("c"),
              out -> {
                out.writeLong(ArchiveLayout.ENTRIES_MAGIC);
                byte[] key = {1};
                new ArchivedEntry(key, 1, 1, -1, -1, -1, 0, "a/" + "b".repeat(200), 0).write(out);
                out.write(key);
                return 1;
              });
      archive.finish("2026-01-01T00:00:00Z", "1");
    }

    assertThrows(DamagedArchiveException.class, () -> restore(file, new BackupProgress()));
  }
}
