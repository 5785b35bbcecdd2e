package dev.isogrid.cluster;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a node may found a cluster of its own.
 *
 * @param list stands for the list of seeds, the same on all nodes that were given the same list
 * @param seeds the length of the list, 0 if there is none
 * @param position this node's place in the list from 0, or -1 if it is not in it
 * @param foundsAlone whether the user said that it must found, even if others are alive
 * @param discoveryNanos how long others are looked for before anything is founded
 * @param lookNanos how long a living cluster is looked for before this node founds one, or votes;
 *     how long a node that must found waits for each further one whose entries are missing
 * @param peers where the members of its former cluster listened, which may be alive
 * @param resendNanos how often what was not answered is sent again
 */
public record FoundingRules(
    long list,
    int seeds,
    int position,
    boolean foundsAlone,
    long discoveryNanos,
    long lookNanos,
    List<SeedAddress> peers,
    long resendNanos) {
  /** Little is left to discover when the transport has connected. */
  private static final long DISCOVERY_NANOS = 300_000_000;

  private static final long RESEND_NANOS = 100_000_000;

  private static final long HASH_FACTOR = 0x100000001B3L;

  /** Checks the place. */
  public FoundingRules {
    peers = List.copyOf(peers);
    if (seeds < 0 || position < -1 || position >= seeds || resendNanos < 1) {
      throw new IllegalArgumentException(
          "invalid founding rules: seeds=%d, position=%d".formatted(seeds, position));
    }
  }

  /** Those of a node that remembers no peers, and founds as soon as it has discovered others. */
  public FoundingRules(
      long list,
      int seeds,
      int position,
      boolean foundsAlone,
      long discoveryNanos,
      long resendNanos) {
    this(list, seeds, position, foundsAlone, discoveryNanos, 0, List.of(), resendNanos);
  }

  /**
   * The rules for a node that finds others in some way.
   *
   * @param own where it listens, or null if it is not on a network
   * @param foundsAlone as above
   * @param lookNanos as above
   * @param peers as above
   */
  public static FoundingRules of(
      Discovery discovery,
      @Nullable SeedAddress own,
      boolean foundsAlone,
      long lookNanos,
      List<SeedAddress> peers) {
    List<SeedAddress> seeds =
        discovery instanceof Discovery.Seeds list
            ? list.seeds().stream()
                .distinct()
                .sorted(Comparator.comparing(SeedAddress::toString))
                .toList()
            : List.of();
    int position = -1;
    for (int i = 0; i < seeds.size() && own != null; i++) {
      if (seeds.get(i).isAt(own)) {
        position = i;
      }
    }
    return new FoundingRules(
        hash(seeds),
        seeds.size(),
        position,
        foundsAlone,
        discovery instanceof Discovery.Nobody ? 0 : DISCOVERY_NANOS,
        lookNanos,
        peers,
        RESEND_NANOS);
  }

  private static long hash(List<SeedAddress> seeds) {
    return seeds.toString().chars().asLongStream().reduce(1, (h, c) -> (h ^ c) * HASH_FACTOR);
  }

  /** Whether this node votes, and may be voted for. */
  boolean takesPart() {
    return seeds == 0 || position >= 0;
  }
}
