package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.Traffic;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long clients may be silent at each port. */
class ListenersTest {
  private static final Services NONE = new Services(null, null, null);

  private final Traffic traffic = new Traffic();
  private final Listeners listeners =
      new Listeners(traffic, new ProblemLog(() -> 0), null, Connections.PER_ADDRESS_MAX);

  @AfterEach
  void close() {
    listeners.close(() -> 0, 0);
  }

  private static boolean outlivesSilence(ChannelInitializer<Channel> handlers) {
    EmbeddedChannel silent = new EmbeddedChannel(handlers);
    silent.freezeTime();
    silent.advanceTimeBy(FirstByteDeadline.TIMEOUT_SECONDS + 1, TimeUnit.SECONDS);
    silent.runScheduledPendingTasks();
    boolean isOpen = silent.isOpen();
    silent.close();
    return isOpen;
  }

  @Test
  void silentClient_ofMemcachedAlone_mayStayUnlessItMustLogIn() {
    ChannelInitializer<Channel> handlers = listeners.memcachedHandlers();
    listeners.serve(NONE, true); // while the node starts
    assertFalse(outlivesSilence(handlers));
    listeners.serve(NONE, false);
    assertTrue(outlivesSilence(handlers));
    listeners.serve(NONE, true);
    assertFalse(outlivesSilence(handlers));
    assertEquals(0, traffic.connectionsOpen());
  }

  @Test
  void silentClient_ofAllProtocols_isClosed() {
    listeners.serve(NONE, false);
    assertFalse(outlivesSilence(listeners.handlers()));
  }
}
