package dev.isogrid.config;

import dev.isogrid.config.Value.Mapping;
import dev.isogrid.config.Value.Member;
import dev.isogrid.config.Value.Scalar;
import dev.isogrid.config.Value.Sequence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Parses YAML into values. Only the events of the parser are used, never its object construction.
 * An alias shares the value of its anchor, so it costs nothing here; {@link ValueTree} counts the
 * cost of following it.
 */
final class YamlReader {
  private static final String TAG_PREFIX = "tag:yaml.org,2002:";

  /** The tags of the format itself, which make no difference. Other tags would name classes. */
  private static final Set<String> TAGS =
      Set.of("str", "int", "float", "bool", "null", "map", "seq");

  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");

  private final Iterator<Event> events;
  private final Budget budget = new Budget();
  private final Map<Anchor, Value> anchors = new HashMap<>();
  private int aliasCount;

  private YamlReader(Iterator<Event> events) {
    this.events = events;
  }

  /** The value of a document. */
  static Value read(String document) {
    LoadSettings settings = LoadSettings.builder().setLabel("configuration").build();
    try {
      return new YamlReader(new ParserImpl(settings, new StreamReader(settings, document)))
          .document();
    } catch (MarkedYamlEngineException e) {
      throw Complaint.malformed(Complaint.shown(e.getProblem()), position(e.getProblemMark()), e);
    } catch (YamlEngineException e) {
      throw Complaint.malformed(Complaint.shown(String.valueOf(e.getMessage())), Position.START, e);
    }
  }

  private Value document() {
    expect(Event.ID.StreamStart);
    if (events.next().getEventId() == Event.ID.StreamEnd) {
      throw Complaint.malformed("document is empty", Position.START);
    }
    Value root = value(events.next(), 1);
    expect(Event.ID.DocumentEnd);
    expect(Event.ID.StreamEnd);
    return root;
  }

  private void expect(Event.ID id) {
    Event event = events.next();
    if (event.getEventId() != id) {
      throw Complaint.malformed("more than one document", position(event.getStartMark()));
    }
  }

  /** Recurses to the depth of the values, which the budget limits. */
  private Value value(Event event, int depth) {
    Position position = position(event.getStartMark());
    budget.node(depth, position);
    return switch (event) {
      case AliasEvent alias -> aliased(alias, position);
      case ScalarEvent scalar -> {
        checkTag(scalar.getTag(), position);
        boolean isNull = scalar.isPlain() && NULLS.contains(scalar.getValue());
        Scalar value = new Scalar(isNull ? null : scalar.getValue(), position);
        yield anchored(scalar.getAnchor(), value);
      }
      case CollectionStartEvent start -> {
        checkTag(start.getTag(), position);
        boolean isMapping = start.getEventId() == Event.ID.MappingStart;
        Value value = isMapping ? mapping(position, depth) : sequence(position, depth);
        yield anchored(start.getAnchor(), value);
      }
      default -> throw Complaint.malformed("value expected", position);
    };
  }

  private Mapping mapping(Position start, int depth) {
    List<Member> members = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Event event = events.next();
    while (event.getEventId() != Event.ID.MappingEnd) {
      Position position = position(event.getStartMark());
      if (!(value(event, depth + 1) instanceof Scalar key) || key.text() == null) {
        throw Complaint.malformed("name expected", position);
      }
      if (!names.add(key.text())) {
        throw Complaint.malformed("name twice: name=" + Complaint.shown(key.text()), position);
      }
      members.add(new Member(key.text(), value(events.next(), depth + 1), position));
      event = events.next();
    }
    return new Mapping(members, start);
  }

  private Sequence sequence(Position start, int depth) {
    List<Value> items = new ArrayList<>();
    Event event = events.next();
    while (event.getEventId() != Event.ID.SequenceEnd) {
      items.add(value(event, depth + 1));
      event = events.next();
    }
    return new Sequence(items, start);
  }

  /** An anchor is known only once its value is complete, so no value can contain itself. */
  private Value anchored(Optional<Anchor> anchor, Value value) {
    anchor.ifPresent(name -> anchors.put(name, value));
    return value;
  }

  private Value aliased(AliasEvent alias, Position position) {
    aliasCount++;
    if (aliasCount > Limits.ALIASES_MAX) {
      throw Complaint.tooLarge("number of aliases", Limits.ALIASES_MAX, position);
    }
    Value value = anchors.get(alias.getAlias());
    if (value == null) {
      String name = Complaint.shown(alias.getAlias().getValue());
      throw Complaint.malformed("alias of an unknown anchor: name=" + name, position);
    }
    return value;
  }

  private static void checkTag(Optional<String> tag, Position position) {
    String name = tag.orElse("!");
    boolean isOwn =
        name.startsWith(TAG_PREFIX) && TAGS.contains(name.substring(TAG_PREFIX.length()));
    if (!name.equals("!") && !isOwn) {
      throw Complaint.malformed("tag not accepted: " + Complaint.shown(name), position);
    }
  }

  private static Position position(Optional<Mark> mark) {
    return mark.map(m -> new Position(m.getLine() + 1, m.getColumn() + 1)).orElse(Position.START);
  }
}
