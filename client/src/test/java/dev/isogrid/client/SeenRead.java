package dev.isogrid.client;

import java.util.concurrent.CompletableFuture;

/** A read of an entry that tells which connection it goes through. */
final class SeenRead extends GetWithMetadataOperation<String> {
  private final CompletableFuture<Connection> through = new CompletableFuture<>();

  SeenRead(RequestFormat format) {
    super(format, new byte[] {1});
  }

  @Override
  void sending(Connection connection) {
    through.complete(connection);
  }

  /** Completed when it is sent. */
  CompletableFuture<Connection> through() {
    return through;
  }
}
