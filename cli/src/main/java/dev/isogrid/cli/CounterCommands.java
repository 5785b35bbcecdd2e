package dev.isogrid.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands on counters: by their names, and as parts of {@code counter}. */
final class CounterCommands {
  private static final String EXPECT = "--expect";
  private static final String VALUE = "--value";

  private CounterCommands() {}

  static List<Command> all() {
    Command counter =
        Command.of(
                "counter", "Selects a counter, as cd counters/NAME does.", CounterCommands::select)
            .optional("COUNTER", "Name of the counter; without it the selected one is printed.")
            .with(named(Command.of("get", "Prints the value of a counter.", CounterCommands::get)))
            .with(add())
            .with(cas())
            .with(reset());
    return List.of(counter, add(), cas(), reset());
  }

  private static Command named(Command command) {
    return command.optional("COUNTER", "Name of the counter; default the selected one.");
  }

  private static Command add() {
    return named(
        Command.of("add", "Adds to a counter, and prints the value.", CounterCommands::add)
            .option("--delta", "NUMBER", "The number to add; default 1.")
            .flag("-q --quiet", "Prints nothing."));
  }

  private static Command cas() {
    return named(
        Command.of(
                "cas",
                "Sets a strong counter if it has the expected value; prints whether it had.",
                CounterCommands::compareAndSet)
            .option(EXPECT, "NUMBER", "The value that is expected.")
            .option(VALUE, "NUMBER", "The new value.")
            .flag("-q --quiet", "Prints nothing."));
  }

  private static Command reset() {
    return named(
        Command.of(
            "reset", "Sets a counter to the value that it began with.", CounterCommands::reset));
  }

  private static RestRequest action(Call call, String action) {
    return RestRequest.post(TreePath.COUNTERS, call.counter(call.operandOrNull(0)))
        .query("action", action);
  }

  private static void select(Call call) {
    String name = call.operandOrNull(0);
    if (name == null) {
      call.printer().text(call.counter(null));
    } else {
      NavigationCommands.go(call.session(), TreePath.of(TreePath.COUNTERS, name));
    }
  }

  private static void get(Call call) {
    String name = call.counter(call.operandOrNull(0));
    call.printer().value(call.send(RestRequest.get(TreePath.COUNTERS, name)).json());
  }

  private static void add(Call call) {
    String delta = String.valueOf(call.number("--delta", 1));
    print(call, call.send(action(call, "add").query("delta", delta)).json());
  }

  private static void print(Call call, @Nullable Object value) {
    if (value != null && !call.flag("--quiet")) {
      call.printer().value(value);
    }
  }

  private static void compareAndSet(Call call) {
    if (call.text(EXPECT) == null || call.text(VALUE) == null) {
      throw new UsageFailure("cas: give --expect NUMBER and --value NUMBER");
    }
    RestRequest request =
        action(call, "compareAndSet")
            .query("expect", String.valueOf(call.number(EXPECT, 0)))
            .query("update", String.valueOf(call.number(VALUE, 0)));
    print(call, call.send(request).json());
  }

  private static void reset(Call call) {
    call.send(action(call, "reset"));
  }
}
