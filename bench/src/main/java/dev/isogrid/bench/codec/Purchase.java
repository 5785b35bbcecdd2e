package dev.isogrid.bench.codec;

import java.io.Serializable;
import java.util.List;

/** A record that contains other records. */
public record Purchase(String number, Person buyer, List<Line> lines) implements Serializable {
  /** A line of a purchase. */
  public record Line(String product, int count, double price) implements Serializable {}
}
