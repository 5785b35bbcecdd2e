package dev.isogrid.chaos.cluster;

import java.util.List;
import java.util.Map;

/** What the nodes run. */
public interface Product {
  /** Its name in reports. */
  String label();

  /** What a line of a node's output contains when clients can connect. */
  String readyText();

  /**
   * Whether a node answers on another port than that of clients when it is asked after its health.
   */
  boolean hasOwnHealthPort();

  /** Further variables of a node's process. */
  Map<String, String> environment();

  /**
   * The command that runs a node until the process ends.
   *
   * @param seeds where the cluster's first nodes are, this one perhaps among them
   */
  List<String> command(Place place, List<Place> seeds);
}
