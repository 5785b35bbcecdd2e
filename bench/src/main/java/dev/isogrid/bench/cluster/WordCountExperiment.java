package dev.isogrid.bench.cluster;

import dev.isogrid.api.InvalidRequestException;
import java.util.Arrays;
import java.util.Locale;

/** The quantity that an experiment varies while words are counted. */
enum WordCountExperiment {
  /** The nodes that share a fixed amount of text. */
  FIXED("A fixed amount of text"),

  /** The nodes, each with the same amount of text. */
  GROWING("Text that grows with the nodes"),

  /** The share of text in the heap. */
  HEAP("Text in per cent of the heap"),

  /** The sizes of the values. */
  SIZES("Sizes of values"),

  /** Nothing: there are many long words. */
  LONG("Long words"),

  /** Nothing: a node is killed meanwhile. */
  KILL("A node killed halfway"),

  /** Nothing: intermediate results don't fit into the heap. */
  SPILL("Intermediate results of three times the heap"),

  /** Whether somebody watches. */
  PROGRESS("Progress and statistics");

  private final String heading;

  WordCountExperiment(String heading) {
    this.heading = heading;
  }

  /**
   * The one of a name on the command line.
   *
   * @throws InvalidRequestException if no experiment has this name; the message lists the names
   */
  static WordCountExperiment of(String id) {
    return Arrays.stream(values())
        .filter(experiment -> experiment.id().equals(id))
        .findFirst()
        .orElseThrow(() ->
            new InvalidRequestException(
                "no such experiment: %s; there are %s"
                    .formatted(id, Arrays.stream(values()).map(WordCountExperiment::id).toList())));
  }

  /** The name on the command line. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name in reports. */
  String heading() {
    return heading;
  }

  /** Whether the number of nodes varies. */
  boolean isOfNodes() {
    return this == FIXED || this == GROWING;
  }

  /** Whether the report has a picture of it. */
  boolean isDrawn() {
    return isOfNodes() || this == HEAP || this == SIZES;
  }
}
