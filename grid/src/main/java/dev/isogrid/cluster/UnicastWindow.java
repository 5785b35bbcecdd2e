package dev.isogrid.cluster;

import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.util.Table;
import org.jspecify.annotations.Nullable;

/** What JGroups knows of the messages to a node. A stack without UNICAST3 has to bound itself. */
final class UnicastWindow implements SendBudget.Window {
  private final @Nullable UNICAST3 unicast;
  private final Address to;

  UnicastWindow(JChannel channel, Address to) {
    this.unicast = channel.getProtocolStack().findProtocol(UNICAST3.class);
    this.to = to;
  }

  private @Nullable Table<Message> messages() {
    return unicast == null ? null : unicast.getSendWindow(to);
  }

  @Override
  public long sent() {
    Table<Message> messages = messages();
    return messages == null ? 0 : messages.getHighestReceived();
  }

  @Override
  public long confirmed() {
    Table<Message> messages = messages();
    return messages == null ? Long.MAX_VALUE : messages.getLow();
  }
}
