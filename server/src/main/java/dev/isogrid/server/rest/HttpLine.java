package dev.isogrid.server.rest;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;

/**
 * The source of a {@link RestConnection}'s requests and the target of its replies: a socket with
 * HTTP/1.1, or one stream of HTTP/2. For the connection's event loop only.
 */
sealed interface HttpLine permits Http1Line, Http2Stream {
  /** Whether a request is incomplete. */
  boolean hasBegun();

  /** The number of received bytes. */
  long bytesRead();

  /** The most memory of an incomplete head, in bytes; 0 if there is none. */
  long headMemory();

  /** Whether the line has one request only, and its end is the end of the reply. */
  boolean isStream();

  /** Whether a reply may begin now, as far as other lines of the same socket permit. */
  boolean hasRoom();

  /** The socket's channel, for addresses and TLS. */
  Channel connection();

  /** Takes a guard that identifies the callers; give it back afterwards. */
  RestGuard guard();

  /**
   * Takes back what {@link #guard} returned.
   *
   * @param isIdle whether no other thread uses it
   */
  void giveBack(RestGuard guard, boolean isIdle);

  /** Whether a request for another protocol must be answered in HTTP/2. */
  boolean canUpgrade(HttpRequest head);

  /**
   * Continues in HTTP/2, which answers the complete request without a body. Removes the handler.
   *
   * @param context of the handler that got it
   */
  void upgrade(ChannelHandlerContext context, HttpRequest request);

  /**
   * Ends the line once all is sent.
   *
   * @param context of the handler that has written the replies
   * @param unread whether the client may still be sending unwanted input
   * @param isWhole whether the last reply is complete; if not, the client must notice
   */
  void end(ChannelHandlerContext context, boolean unread, boolean isWhole);
}
