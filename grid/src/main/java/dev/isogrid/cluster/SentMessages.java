package dev.isogrid.cluster;

/**
 * What a transport has sent since it was opened: messages of nodes, without the packets of JGroups.
 *
 * @param count the messages
 * @param bytes their bytes, with what frames them
 */
public record SentMessages(long count, long bytes) {
  /** Nothing. */
  public static final SentMessages NONE = new SentMessages(0, 0);
}
