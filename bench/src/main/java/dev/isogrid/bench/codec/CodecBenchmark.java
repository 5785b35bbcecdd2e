package dev.isogrid.bench.codec;

import com.sun.management.ThreadMXBean;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import dev.isogrid.bench.run.RealTime;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Objects to bytes and back, in one thread: {@code ./isogrid bench codec}. The formats take turns
 * in short rounds, so that load from elsewhere meets all of them.
 */
public final class CodecBenchmark implements Benchmark {
  private static final int LINES = 10;
  private static final String PERCENT = "time beside the first, %";

  /** The figures of one format. */
  private static final class Figures {
    final Samples writeNanos = new Samples();
    final Samples readNanos = new Samples();
    double writeAllocated;
    double readAllocated;
  }

  /** Written so that the compiler does not drop any result. */
  @SuppressWarnings("UnusedVariable") // its writes are what it is for
  private volatile int sink;

  @Override
  public String name() {
    return "codec";
  }

  @Override
  public String summary() {
    return "records to bytes and back: time, size and allocation, beside other libraries";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option(
            "--rounds", Option.Kind.COUNT, "100", "10", "How many times each format has its turn."),
        new Option(
            "--operations", Option.Kind.COUNT, "20000", "5000", "How many objects a turn has."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout) {
    int rounds = arguments.number("--rounds", 100_000);
    int operations = arguments.number("--operations", 10_000_000);
    Report report = new Report();
    report.remark("Times are the fastest of all turns, ns; the first fifth of the turns warms up.");
    report.remark(
        "ProtoStream's marshaller is written as its processor generates it; it has no part in the"
            + " second table.");
    report.add(
        table("a record of five fields", ObjectFormat.ofPerson(), person(), rounds, operations));
    report.add(
        table(
            "a record with a record and a list of " + LINES + " records",
            ObjectFormat.general(),
            purchase(),
            rounds,
            operations));
    return report;
  }

  private static Person person() {
    return new Person("Ada Lovelace", "ada@example.org", 36, 123_456_789_012L, true);
  }

  private static Purchase purchase() {
    List<Purchase.Line> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      lines.add(new Purchase.Line("product " + i, i, 1.5 * i));
    }
    return new Purchase("2026-11-23-0001", person(), lines);
  }

  private Table table(
      String heading, List<ObjectFormat> formats, Object object, int rounds, int operations) {
    List<Figures> all = new ArrayList<>();
    formats.forEach(format -> all.add(new Figures()));
    for (int round = -rounds / 4; round < rounds; round++) {
      for (int i = 0; i < formats.size(); i++) {
        turn(formats.get(i), object, operations, round < 0 ? new Figures() : all.get(i));
      }
    }
    Table table =
        new Table(
            heading,
            1,
            List.of("format", "bytes", "write, ns", "read, ns", PERCENT, "write, B", "read, B"));
    double first = all.getFirst().writeNanos.min() + all.getFirst().readNanos.min();
    for (int i = 0; i < formats.size(); i++) {
      Figures figures = all.get(i);
      double sum = figures.writeNanos.min() + figures.readNanos.min();
      table.add(
          List.of(
              formats.get(i).name(),
              String.valueOf(formats.get(i).writer().toBytes(object).length),
              "%.0f".formatted(figures.writeNanos.min()),
              "%.0f".formatted(figures.readNanos.min()),
              "%.0f".formatted(100 * sum / first),
              "%.0f".formatted(figures.writeAllocated),
              "%.0f".formatted(figures.readAllocated)));
    }
    return table;
  }

  private void turn(ObjectFormat format, Object object, int operations, Figures figures) {
    byte[] bytes = format.writer().toBytes(object);
    if (!format.reader().fromBytes(bytes).equals(object)) {
      throw new IllegalStateException("another object came back: format=" + format.name());
    }
    figures.writeAllocated =
        measure(figures.writeNanos, operations, () -> format.writer().toBytes(object));
    figures.readAllocated =
        measure(figures.readNanos, operations, () -> format.reader().fromBytes(bytes));
  }

  /** Adds the nanoseconds of an operation; returns the bytes that it allocates. */
  private double measure(Samples nanos, int operations, Supplier<Object> operation) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int sum = 0;
    long allocated = threads.getCurrentThreadAllocatedBytes();
    long start = RealTime.nanos();
    for (int i = 0; i < operations; i++) {
      sum += System.identityHashCode(operation.get().getClass());
    }
    nanos.add((double) (RealTime.nanos() - start) / operations);
    sink = sum;
    return (double) (threads.getCurrentThreadAllocatedBytes() - allocated) / operations;
  }
}
