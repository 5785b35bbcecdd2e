package dev.isogrid.bench.client;

import java.util.Locale;

/**
 * A load on clients.
 *
 * @param clients processes at once
 * @param servers the number of servers
 * @param work the operations
 * @param threads of each client that wait for their answers; 0 for one that does not wait
 * @param outstanding operations in flight of the thread that does not wait
 */
record ClientCase(int clients, int servers, Work work, int threads, int outstanding) {
  /** Its name in reports. */
  String label() {
    String shape =
        threads > 0
            ? threads + (threads == 1 ? " thread" : " threads")
            : outstanding + " outstanding";
    return "%d/%d, %s, %s".formatted(clients, servers, work.name().toLowerCase(Locale.ROOT), shape);
  }
}
