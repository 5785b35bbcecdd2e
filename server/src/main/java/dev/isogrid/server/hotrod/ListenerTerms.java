package dev.isogrid.server.hotrod;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a listener from the client's request.
 *
 * @param format the layout of events
 * @param messageId the id of the request, for events of the initial state
 * @param interests bits by kind of event; none means all
 * @param near the filter of the listener's near cache, or null
 * @param transform the deployed filter and converter, or null
 */
record ListenerTerms(
    EventFormat format,
    long messageId,
    int interests,
    @Nullable NearFilter near,
    @Nullable EventTransform transform) {
  /** Changes no interest at all to an interest in all kinds. */
  ListenerTerms {
    interests =
        (interests & ClientListener.ALL) == 0 ? ClientListener.ALL : interests & ClientListener.ALL;
  }

  /** Whether it uses values. */
  boolean needsValues() {
    return transform != null || format.content().hasValue();
  }

  /** Whether it uses previous values. */
  boolean needsPrevious() {
    return transform != null || format.content().hasPrevious();
  }
}
