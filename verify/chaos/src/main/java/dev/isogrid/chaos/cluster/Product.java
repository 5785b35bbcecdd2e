package dev.isogrid.chaos.cluster;

import java.util.List;
import java.util.Map;

/** The product that the nodes run. */
public interface Product {
  /** Its name in reports. */
  String label();

  /** A part of the line that a node prints when clients can connect. */
  String readyText();

  /** Whether a node answers health queries on another port than the port for clients. */
  boolean hasOwnHealthPort();

  /** Additional environment variables of a node's process. */
  Map<String, String> environment();

  /**
   * The command that runs a node until the process ends.
   *
   * @param seeds the places of the cluster's first nodes, perhaps including this one
   */
  List<String> command(Place place, List<Place> seeds);
}
