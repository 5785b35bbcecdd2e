package dev.isogrid.server.rest;

import dev.isogrid.server.net.ServerContext;
import dev.isogrid.structure.CounterState;
import dev.isogrid.structure.CounterTable;
import dev.isogrid.structure.CounterTable.Outcome;
import dev.isogrid.wire.MediaTypes;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Requests about counters. Thread-safe. */
final class CounterRoutes {
  private static final String V2 = "rest/v2/counters";
  private static final String V3 = "rest/v3/counters";

  private final ServerContext context;
  private final List<Route> routes = new ArrayList<>();

  CounterRoutes(ServerContext context) {
    this.context = context;
  }

  /** A change of one counter. */
  private interface Change {
    CounterTable.Answer make(AdminRequest request, String name);
  }

  List<Route> routes() {
    both(Verb.GET, "", _ -> Answer.json(new Json().values(table().names())));
    both(Verb.GET, "/*", this::value);
    both(Verb.GET, "/*/config", this::config);
    both(Verb.POST, "/*", this::define);
    both(Verb.DELETE, "/*", this::remove);
    change("increment", (_, name) -> table().add(name, 1), CounterRoutes::after);
    change("decrement", (_, name) -> table().add(name, -1), CounterRoutes::after);
    change(
        "add",
        (request, name) -> table().add(name, argument(request, "delta")),
        CounterRoutes::after);
    change("reset", (_, name) -> table().reset(name), _ -> Answer.noContent());
    change("compareAndSwap", this::swapped, CounterRoutes::before);
    change(
        "getAndSet",
        (request, name) -> table().getAndSet(name, argument(request, "value")),
        CounterRoutes::before);
    action("compareAndSet", this::compareAndSet);
    return routes;
  }

  private void both(Verb verb, String path, Route.Handler handler) {
    routes.add(Route.of(verb, V2 + path, null, handler));
    routes.add(Route.of(verb, V3 + path, null, handler));
  }

  /** Adds an action in both versions; the second separates its words. */
  private void action(String name, Route.Handler handler) {
    String words = name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    routes.add(Route.of(Verb.POST, V2 + "/*", name, handler));
    routes.add(Route.of(Verb.POST, V3 + "/*/_" + words, null, handler));
  }

  private void change(String name, Change change, Function<CounterTable.Answer, Answer> answer) {
    action(
        name,
        request -> {
          CounterTable.Answer made = change.make(request, name(request));
          return switch (made.outcome()) {
            case DONE -> answer.apply(made);
            case UNKNOWN -> Answer.notFound();
            case BOUND -> throw bound(request, made);
          };
        });
  }

  private static RestProblem bound(AdminRequest request, CounterTable.Answer made) {
    return new RestProblem(
        HttpResponseStatus.CONFLICT,
        "counter is at its bound: name=%s, value=%d".formatted(name(request), made.valueBefore()));
  }

  private CounterTable table() {
    return context.node().counterTable();
  }

  private static String name(AdminRequest request) {
    return request.path().get(3);
  }

  private static long argument(AdminRequest request, String name) {
    if (request.parameter(name) == null) {
      throw RestProblem.badRequest("parameter missing: name=%s; give a number".formatted(name));
    }
    return request.number(name, 0);
  }

  /** The result of a change is a number in JSON; only the value itself is text. */
  private static Answer number(long value) {
    return Answer.json(new Json().value(value));
  }

  /** The value of a strong counter; a weak one has none here. */
  private static Answer after(CounterTable.Answer made) {
    CounterState counter = made.after();
    return counter == null || counter.config().isWeak()
        ? Answer.noContent()
        : number(counter.value());
  }

  private static Answer before(CounterTable.Answer made) {
    return number(made.valueBefore());
  }

  private Answer value(AdminRequest request) {
    CounterState counter = table().find(name(request));
    if (counter == null) {
      return Answer.notFound();
    }
    String accepted = request.accept();
    if (accepted != null && !acceptsText(accepted)) {
      throw new RestProblem(
          HttpResponseStatus.NOT_ACCEPTABLE,
          "the value of a counter is %s: accept=%s".formatted(MediaTypes.TEXT_PLAIN, accepted));
    }
    return new Answer.Passing(Long.toString(counter.value()));
  }

  private static boolean acceptsText(String accepted) {
    return accepted.contains("*/*")
        || accepted.contains("text/*")
        || accepted.contains(MediaTypes.TEXT_PLAIN);
  }

  private Answer config(AdminRequest request) {
    CounterState counter = table().find(name(request));
    return counter == null
        ? Answer.notFound()
        : Answer.json(CounterDocument.write(counter.config()));
  }

  private Answer define(AdminRequest request) {
    boolean isNew = table().define(name(request), CounterDocument.read(request.body()));
    return isNew ? Answer.ok() : new Answer.Empty(HttpResponseStatus.NOT_MODIFIED);
  }

  private Answer remove(AdminRequest request) {
    boolean wasThere = table().undefine(name(request)).outcome() == Outcome.DONE;
    return wasThere ? Answer.noContent() : Answer.notFound();
  }

  private CounterTable.Answer swapped(AdminRequest request, String name) {
    return table().compareAndSwap(name, argument(request, "expect"), argument(request, "update"));
  }

  private Answer compareAndSet(AdminRequest request) {
    CounterTable.Answer made = swapped(request, name(request));
    @Nullable CounterState before = made.before();
    if (made.outcome() == Outcome.BOUND) {
      throw bound(request, made);
    }
    return before == null
        ? Answer.notFound()
        : Answer.json(new Json().value(before.value() == argument(request, "expect")));
  }
}
