package dev.isogrid.client;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The choice of events for a listener. Immutable.
 *
 * @param includesState whether existing entries are reported as created
 * @param includesValues whether events have the values; not together with a converter
 * @param usesRawData whether filter and converter work on the stored bytes, without conversion
 * @param filter the servers' factory of filters, or null
 * @param converter the servers' factory of converters, or null
 * @param kinds the reported kinds of events
 * @param queueMax the most events that may wait for the listener; further ones are lost
 */
public record ListenerOptions(
    boolean includesState,
    boolean includesValues,
    boolean usesRawData,
    @Nullable Factory filter,
    @Nullable Factory converter,
    Set<EntryEvent.Kind> kinds,
    int queueMax) {
  private static final int QUEUE_MAX = 16_384;

  /** All events, without values. */
  public static final ListenerOptions DEFAULT =
      new ListenerOptions(
          false, false, false, null, null, EnumSet.allOf(EntryEvent.Kind.class), QUEUE_MAX);

  /**
   * A factory of the servers.
   *
   * @param name the name by which they know it
   * @param parameters its parameters; marshalled as values
   */
  public record Factory(String name, List<Object> parameters) {
    /** Servers take one byte for the number. */
    private static final int PARAMETERS_MAX = 255;

    /** Checks the name and the number of parameters. */
    public Factory {
      Objects.requireNonNull(name, "name");
      parameters = List.copyOf(parameters);
      if (name.isEmpty() || parameters.size() > PARAMETERS_MAX) {
        throw new IllegalArgumentException(
            "invalid factory: name=%s, parameters=%d; a name, and %d parameters at most"
                .formatted(name, parameters.size(), PARAMETERS_MAX));
      }
    }
  }

  /** Checks that all fit together. */
  public ListenerOptions {
    kinds = Set.copyOf(kinds);
    if (kinds.isEmpty() || queueMax < 1) {
      throw new IllegalArgumentException(
          "invalid listener: kinds=%s, queueMax=%d; at least one of each"
              .formatted(kinds, queueMax));
    }
    if (includesValues && converter != null) {
      throw new IllegalArgumentException(
          "values and a converter: converter=%s; only one of them is possible"
              .formatted(converter.name()));
    }
  }

  /** The same with existing entries, each reported as created. */
  public ListenerOptions withState() {
    return new ListenerOptions(
        true, includesValues, usesRawData, filter, converter, kinds, queueMax);
  }

  /** The same with values. */
  public ListenerOptions withValues() {
    return new ListenerOptions(
        includesState, true, usesRawData, filter, converter, kinds, queueMax);
  }

  /** The same with stored bytes for filter and converter. */
  public ListenerOptions withRawData() {
    return new ListenerOptions(
        includesState, includesValues, true, filter, converter, kinds, queueMax);
  }

  /** The same with a filter of the servers. */
  public ListenerOptions withFilter(String name, Object... parameters) {
    Factory factory =
        new Factory(name, Arrays.asList(Objects.requireNonNull(parameters, "parameters")));
    return new ListenerOptions(
        includesState, includesValues, usesRawData, factory, converter, kinds, queueMax);
  }

  /** The same with a converter of the servers. */
  public ListenerOptions withConverter(String name, Object... parameters) {
    Factory factory =
        new Factory(name, Arrays.asList(Objects.requireNonNull(parameters, "parameters")));
    return new ListenerOptions(
        includesState, includesValues, usesRawData, filter, factory, kinds, queueMax);
  }

  /** The same for some kinds of events. */
  public ListenerOptions withKinds(EntryEvent.Kind first, EntryEvent.Kind... more) {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(more, "more");
    return new ListenerOptions(
        includesState,
        includesValues,
        usesRawData,
        filter,
        converter,
        EnumSet.of(first, more),
        queueMax);
  }

  /** The same with another limit of events that wait. */
  public ListenerOptions withQueueMax(int events) {
    return new ListenerOptions(
        includesState, includesValues, usesRawData, filter, converter, kinds, events);
  }
}
