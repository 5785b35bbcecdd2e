package dev.isogrid.server.net;

import dev.isogrid.engine.CallTrace;
import dev.isogrid.engine.CallTraces;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps the requests that ended, none of which has parts at other nodes. Thread-safe. */
public final class RecordedSpans implements RequestSpans {
  private final List<Ended> ended = new CopyOnWriteArrayList<>();

  /** Those that ended, the first one first. The caller may remove some. */
  public List<Ended> ended() {
    return ended;
  }

  @Override
  public Execution execution(Supplier<Ended> soFar) {
    return new Execution() {
      @Override
      public Scope enter() {
        return () -> {};
      }

      @Override
      public void end(Ended request) {
        ended.add(request);
      }
    };
  }

  @Override
  public CallTraces calls() {
    return new CallTraces() {
      @Override
      public @Nullable CallTrace current() {
        return null;
      }

      @Override
      public void report(Part part) {}
    };
  }
}
