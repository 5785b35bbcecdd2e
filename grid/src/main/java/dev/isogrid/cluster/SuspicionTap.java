package dev.isogrid.cluster;

import java.util.Collection;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.stack.Protocol;
import org.jspecify.annotations.Nullable;

/** A protocol that sees whom those below it suspect, before JGroups takes time to verify it. */
final class SuspicionTap extends Protocol {
  private final Consumer<Collection<Address>> whenSuspected;

  /**
   * Makes one, to be put above a protocol that detects failures.
   *
   * @param whenSuspected must not block
   */
  SuspicionTap(Consumer<Collection<Address>> whenSuspected) {
    this.whenSuspected = whenSuspected;
  }

  @Override
  public @Nullable Object up(Event event) {
    if (event.getType() == Event.SUSPECT) {
      whenSuspected.accept(event.getArg());
    }
    return up_prot.up(event);
  }
}
