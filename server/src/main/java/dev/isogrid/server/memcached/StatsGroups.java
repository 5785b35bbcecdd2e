package dev.isogrid.server.memcached;

import io.netty.channel.Channel;

/**
 * The groups of statistics that all protocols show. For the connection's event loop, or the thread
 * that works for it meanwhile.
 */
final class StatsGroups {
  private final StatsSink sink;
  private final StatsReport report;
  private final SlabReport slabs;

  StatsGroups(Conversation conversation, Channel channel, StatsSink sink) {
    this.sink = sink;
    this.report = new StatsReport(conversation, channel, sink);
    this.slabs = new SlabReport(conversation, sink);
  }

  /**
   * Shows a group.
   *
   * @param name empty for the general one
   * @return false, without output, if there is no such group
   */
  boolean show(String name) {
    switch (name) {
      case "" -> report.general();
      case "settings" -> report.settings();
      case "items" -> slabs.items();
      case "slabs" -> slabs.slabs();
      case "sizes" -> sink.add("sizes_status", "disabled");
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Shows the requesting connection. */
  void connection() {
    report.connection();
  }
}
