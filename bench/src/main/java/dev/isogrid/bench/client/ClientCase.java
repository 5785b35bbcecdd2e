package dev.isogrid.bench.client;

import java.util.Locale;

/**
 * A load on clients.
 *
 * @param clients processes at once
 * @param servers how many there are
 * @param work what they do
 * @param threads of each client that wait for their answers; 0 for one that does not wait
 * @param outstanding operations on their way of the one that does not
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
