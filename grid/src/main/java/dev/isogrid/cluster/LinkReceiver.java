package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import java.io.IOError;
import java.io.IOException;
import java.lang.System.Logger.Level;

/** Gives what came by connections between nodes to JGroups, or to the receiver of messages. */
final class LinkReceiver implements LinkFrames.Handler {
  private static final System.Logger log = System.getLogger(LinkReceiver.class.getName());

  private final LinkProtocol protocol;
  private final JGroupsReceiver receiver;
  private final LossLog troubles;

  LinkReceiver(LinkProtocol protocol, JGroupsReceiver receiver, LossLog troubles) {
    this.protocol = protocol;
    this.receiver = receiver;
    this.troubles = troubles;
  }

  @Override
  public void onPacket(LinkHello of, byte[] packet) {
    protocol.take(of.listensAt(), packet);
  }

  @Override
  public void onMessage(LinkHello of, byte[] array, int length, boolean isOwn) {
    receiver.take(of.from(), array, length, isOwn);
  }

  @Override
  public void onRead(LinkHello of) {
    receiver.received(of.from());
  }

  @Override
  public void onPortClosed() {
    receiver.failed(
        new IOError(new IOException("the cluster port was closed, and nobody asked for that")));
  }

  @Override
  public void onLastClosed(NodeId node) {
    receiver.suspect(node);
  }

  @Override
  public void onRefusal(String address, String reason) {
    troubles.add(() ->
        "connection to the cluster port refused: from=%s, reason=%s; nodes need the same TLS"
                .formatted(address, reason)
            + " settings and trusted certificates, or the secret of this cluster");
  }

  @Override
  public void onFault(String address, Throwable fault) {
    log.log(
        Level.ERROR,
        "connection of a node closed, since its message was not handled: from=" + address,
        fault);
  }

  @Override
  public void onFailure(String address, String reason) {
    troubles.add(() ->
        "connection to a node of the cluster failed: to=%s, reason=%s; look at the log there"
            .formatted(address, reason));
  }
}
