package dev.isogrid.bench.server;

import dev.isogrid.bench.load.Entries;
import dev.isogrid.bench.load.Operation;
import dev.isogrid.bench.load.PipelinedConnection;
import dev.isogrid.bench.load.Wire;
import dev.isogrid.bench.run.RealTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Connections that send batches of requests made of bytes. */
final class RawLoad implements Load {
  private final List<PipelinedConnection> connections = new ArrayList<>();
  private final Workers workers;

  /**
   * Connects.
   *
   * @param wires makes one end of a connection for values of a size
   */
  RawLoad(int port, IntFunction<Wire> wires, Entries entries, Client.RawShape shape)
      throws IOException {
    for (int i = 0; i < shape.connections(); i++) {
      connections.add(
          new PipelinedConnection(
              port, wires.apply(entries.value().length), entries, shape.depth(), i));
    }
    workers = new Workers(shape.connections());
  }

  @Override
  public long run(Operation operation, long endNanos) throws IOException, InterruptedException {
    return workers.run(thread -> {
      PipelinedConnection connection = connections.get(thread);
      long count = 0;
      while (count < REQUESTS_MAX && RealTime.nanos() - endNanos < 0) {
        count += connection.runBatch(operation);
      }
      return count;
    });
  }

  @Override
  public void close() throws IOException {
    workers.close();
    for (PipelinedConnection connection : connections) {
      connection.close();
    }
  }
}
