package dev.isogrid.cluster;

import static dev.isogrid.base.SimTime.MILLI;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.base.SimProcess;
import dev.isogrid.base.SimTime;
import dev.isogrid.cluster.MembershipMessage.Fetch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The simulated network does as the real one. */
class SimNetworkTest {
  private static final class Failing implements TransportHandler {
    private final List<Error> failures = new ArrayList<>();
    private int batches;

    @Override
    public void onMessages(List<Received> messages) {
      batches++;
      throw new OutOfMemoryError("simulated");
    }

    @Override
    public void onFailure(Error unexpected) {
      failures.add(unexpected);
    }

    @Override
    public void onView(ViewHint view) {
      // It does not matter who is there.
    }
  }

  @Test
  void messages_whoseHandlerFailsWithAnError_endInItsFailure() {
    SimTime time = new SimTime(1);
    SimNetwork network = new SimNetwork(time);
    SimProcess process = new SimProcess(time, "p", 1);
    Transport from = network.open(process, "10.0.0.1", new MembershipCodec(), process.env());
    Transport to = network.open(process, "10.0.0.2", new MembershipCodec(), process.env());
    Failing handler = new Failing();
    to.start(handler);
    for (int i = 1; i <= 2; i++) {
      from.send(to.self(), new Fetch(i));
      time.runUntil(i * 100L * MILLI);
      assertEquals(i, handler.batches);
      assertEquals(i, handler.failures.size());
    }
    time.end();
    assertEquals(List.of(), process.failures());
  }
}
