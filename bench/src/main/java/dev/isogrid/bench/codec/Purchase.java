package dev.isogrid.bench.codec;

import java.io.Serializable;
import java.util.List;

/** A record with others in it. */
public record Purchase(String number, Person buyer, List<Line> lines) implements Serializable {
  /** A part of it. */
  public record Line(String product, int count, double price) implements Serializable {}
}
