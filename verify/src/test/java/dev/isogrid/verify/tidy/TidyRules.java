package dev.isogrid.verify.tidy;

import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;

/**
 * The rules that a tool can check. Where a banned call is right, its line or the line above gives
 * the reason: {@code // tidy: reason}.
 */
final class TidyRules {
  static final int LINE_LENGTH_MAX = 100;
  static final int METHOD_LINES_MAX = 70;

  /** The limit of every method, on the list or not. */
  static final int LISTED_METHOD_LINES_MAX = 100;

  static final int CLASS_LINES_MAX = 500;
  static final int METHOD_PARAMETERS_MAX = 5;
  static final int CONSTRUCTOR_PARAMETERS_MAX = 7;

  private static final Pattern UNFINISHED =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
  private static final Pattern BANNED_TYPE_NAME =
      Pattern.compile("Abstract.*|.*(Manager|Helper|Utils?|Impl|Base|Abstract|Info|Data)");
  private static final String MODULE_INFO = "module-info.java";
  private static final Set<String> BANNED_PACKAGE_NAMES = Set.of("model", "impl", "util", "dto");
  private static final Pattern SUPPRESSION =
      Pattern.compile("^\\s*@(SuppressWarnings|Disabled)\\b");
  private static final Pattern REASON = Pattern.compile("// *\\S+|@Disabled\\(\"[^\"]+\"\\)");
  private static final String PERMISSION = "// tidy: ";

  /** The form of an argument in a logged pattern. */
  private static final Pattern PLACE = Pattern.compile("\\{[0-9]");

  /** Calls that are banned everywhere, with their replacements. */
  private static final Map<String, String> BANNED_CALLS =
      Map.of(
          "System.currentTimeMillis", "take an EpochClock",
          "Math.random", "take a RandomGenerator",
          "Thread.sleep", "wait for the event, or take a Scheduler");

  /** Packages whose waits and wake-ups a simulation replays. */
  private static final List<String> REPLAYED =
      List.of("dev.isogrid.topology", "dev.isogrid.engine", "dev.isogrid.cluster");

  private final Set<String> longMethods;
  private final Set<String> services;

  /**
   * Makes the rules.
   *
   * @param longMethods the methods that may be longer, as {@code path#method}
   * @param services the names of the types that a service loader finds
   */
  TidyRules(Set<String> longMethods, Set<String> services) {
    this.longMethods = Set.copyOf(longMethods);
    this.services = Set.copyOf(services);
  }

  /** All violations in {@code sources}, in the order of the files. */
  List<Violation> check(List<JavaSource> sources) {
    List<Violation> found = new ArrayList<>();
    Set<String> stillLong = new HashSet<>();
    for (JavaSource source : sources) {
      checkLines(source, found);
      checkPackageName(source, found);
      source.unit().accept(new TreeRules(source, stillLong), found);
    }
    for (String method : new TreeSet<>(longMethods)) {
      if (!stillLong.contains(method)) {
        found.add(
            new Violation(method, 1, "no longer too long; take it off the list of long methods"));
      }
    }
    checkPackageInfos(sources, found);
    checkDeadFiles(sources, found);
    return found;
  }

  private static void checkLines(JavaSource source, List<Violation> found) {
    for (int number = 1; number <= source.lines().size(); number++) {
      String line = source.line(number);
      if (line.length() > LINE_LENGTH_MAX && !line.startsWith("import ") && !line.contains("://")) {
        found.add(new Violation(source.path(), number, "longer than " + LINE_LENGTH_MAX));
      }
      if (isComment(line) && UNFINISHED.matcher(line).find()) {
        found.add(new Violation(source.path(), number, "unfinished; finish it or file an issue"));
      }
      String prose = Prose.problem(source.path(), line);
      if (prose != null) {
        found.add(new Violation(source.path(), number, prose));
      }
      if (SUPPRESSION.matcher(line).find() && !REASON.matcher(line).find()) {
        found.add(
            new Violation(source.path(), number, "suppression without its reason on this line"));
      }
    }
  }

  private static boolean isComment(String line) {
    String start = line.strip();
    return start.startsWith("*") || start.startsWith("/*") || line.contains("//");
  }

  private static void checkPackageName(JavaSource source, List<Violation> found) {
    for (String name : source.packageName().split("\\.", -1)) {
      if (BANNED_PACKAGE_NAMES.contains(name)) {
        found.add(
            new Violation(source.path(), 1, "package named by kind, not by capability: " + name));
      }
    }
  }

  private static void checkPackageInfos(List<JavaSource> sources, List<Violation> found) {
    Map<String, JavaSource> first = new TreeMap<>();
    Set<String> described = new HashSet<>();
    for (JavaSource source : sources) {
      if (!source.path().contains("/src/main/") || source.fileName().equals(MODULE_INFO)) {
        continue;
      }
      String folder = source.path().substring(0, source.path().lastIndexOf('/'));
      if (source.fileName().equals("package-info.java")) {
        described.add(folder);
        if (source.lines().stream().noneMatch(line -> line.startsWith("@NullMarked"))) {
          found.add(new Violation(source.path(), 1, "package without @NullMarked"));
        }
      } else {
        first.putIfAbsent(folder, source);
      }
    }
    first.forEach((folder, source) -> {
      if (!described.contains(folder)) {
        found.add(new Violation(source.path(), 1, "package without package-info.java"));
      }
    });
  }

  /** Finds top-level types of the product that no other file names. */
  private void checkDeadFiles(List<JavaSource> sources, List<Violation> found) {
    Map<String, Set<String>> users = new TreeMap<>();
    Pattern word = Pattern.compile("\\b[A-Z]\\w*");
    for (JavaSource source : sources) {
      for (String line : source.lines()) {
        word.matcher(line)
            .results()
            .forEach(
                w -> users.computeIfAbsent(w.group(), _ -> new HashSet<>()).add(source.path()));
      }
    }
    for (JavaSource source : sources) {
      String type = source.fileName().replace(".java", "");
      boolean entry =
          source.module().equals("api")
              || source.fileName().equals(MODULE_INFO)
              || hasEntryPoint(source);
      boolean alone = users.getOrDefault(type, Set.of()).size() <= 1;
      if (source.isMain() && !type.equals("package-info") && alone && !entry) {
        found.add(new Violation(source.path(), 1, "dead file: nothing names " + type));
      }
    }
  }

  /** Whether the JVM or a service loader finds the type by its name. */
  private boolean hasEntryPoint(JavaSource source) {
    return services.contains(source.packageName() + "." + source.fileName().replace(".java", ""))
        || source.lines().stream().anyMatch(line -> line.contains("static void main("));
  }

  /** The rules about one node of the syntax tree at a time. */
  private final class TreeRules extends TreeScanner<Void, List<Violation>> {
    private final JavaSource source;
    private final Set<String> stillLong;
    private final ArrayDeque<ClassTree> enclosing = new ArrayDeque<>();

    TreeRules(JavaSource source, Set<String> stillLong) {
      this.source = source;
      this.stillLong = stillLong;
    }

    @Override
    public Void visitClass(ClassTree type, List<Violation> found) {
      String name = type.getSimpleName().toString();
      if (BANNED_TYPE_NAME.matcher(name).matches() && !isPermitted(type)) {
        report(found, type, "name says nothing: " + name + "; say what it is");
      }
      int lines = source.lastLine(type) - source.firstLine(type) + 1;
      if (lines > CLASS_LINES_MAX && !hasEssay()) {
        report(
            found, type, "class of " + lines + " lines without an essay block that justifies it");
      }
      enclosing.addLast(type);
      super.visitClass(type, found);
      enclosing.removeLast();
      return null;
    }

    @Override
    public Void visitMethod(MethodTree method, List<Violation> found) {
      int lines = source.lastLine(method) - source.firstLine(method) + 1;
      if (lines > METHOD_LINES_MAX) {
        String id = source.path() + "#" + method.getName();
        stillLong.add(id);
        if (lines > LISTED_METHOD_LINES_MAX || !longMethods.contains(id)) {
          report(found, method, "method of " + lines + " lines; at most " + METHOD_LINES_MAX);
        }
      }
      checkParameters(found, method);
      if (method.getModifiers().getFlags().contains(Modifier.SYNCHRONIZED)) {
        checkSynchronized(found, method);
      }
      return super.visitMethod(method, found);
    }

    @Override
    public Void visitSynchronized(SynchronizedTree block, List<Violation> found) {
      checkSynchronized(found, block);
      return super.visitSynchronized(block, found);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, List<Violation> found) {
      boolean toConsole = call.getArguments().isEmpty();
      if (toConsole && call.getMethodSelect().toString().endsWith(".printStackTrace")) {
        report(found, call, "printStackTrace; log it, or let it go up");
      }
      checkLogged(found, call);
      return super.visitMethodInvocation(call, found);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree select, List<Violation> found) {
      checkCall(found, select, select.toString());
      return super.visitMemberSelect(select, found);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree reference, List<Violation> found) {
      checkCall(found, reference, reference.getQualifierExpression() + "." + reference.getName());
      return super.visitMemberReference(reference, found);
    }

    @Override
    public Void visitNewClass(NewClassTree creation, List<Violation> found) {
      if (creation.getIdentifier().toString().equals("Thread") && !mayCall(creation)) {
        report(found, creation, "new Thread; take an executor");
      }
      return super.visitNewClass(creation, found);
    }

    @Override
    public Void visitCatch(CatchTree block, List<Violation> found) {
      if (block.getParameter().getType().toString().equals("Throwable") && !isPermitted(block)) {
        report(
            found,
            block,
            "catch (Throwable); only at a thread's top, with " + PERMISSION + "reason");
      }
      return super.visitCatch(block, found);
    }

    /**
     * Checks a text with places: it is a pattern, in which one apostrophe hides all places after
     * it.
     */
    private void checkLogged(List<Violation> found, MethodInvocationTree call) {
      if (!call.getMethodSelect().toString().endsWith("log.log")) {
        return;
      }
      for (ExpressionTree argument : call.getArguments()) {
        String text = argument.toString();
        boolean isPattern = call.getArguments().size() > 2 && PLACE.matcher(text).find();
        if (isPattern && text.replace("''", "").contains("'")) {
          report(found, call, "one apostrophe in a pattern hides its places; write two");
        }
      }
    }

    private void checkParameters(List<Violation> found, MethodTree method) {
      boolean constructor = method.getReturnType() == null;
      int max = constructor ? CONSTRUCTOR_PARAMETERS_MAX : METHOD_PARAMETERS_MAX;
      int count = method.getParameters().size();
      boolean ofRecord = constructor && enclosing.getLast().getKind() == Tree.Kind.RECORD;
      if (source.isMain() && count > max && !ofRecord && !isPermitted(method)) {
        report(found, method, count + " parameters, at most " + max + "; make them a record");
      }
    }

    private void checkSynchronized(List<Violation> found, Tree place) {
      if (source.isMain() && REPLAYED.stream().anyMatch(source::inPackage)) {
        report(
            found,
            place,
            "synchronized; its wake-ups cannot be replayed: use java.util.concurrent");
      }
    }

    private void checkCall(List<Violation> found, Tree place, String call) {
      if (mayCall(place)) {
        return;
      }
      String instead = BANNED_CALLS.get(call);
      if (instead != null) {
        report(found, place, call + "; " + instead);
      } else if (call.equals("System.nanoTime") && source.isMain()) {
        report(found, place, call + "; take a NanoClock");
      } else if (call.equals("sun.misc.Unsafe")) {
        report(found, place, call + "; use java.lang.foreign");
      }
    }

    private boolean mayCall(Tree place) {
      return source.inPackage("dev.isogrid.base") || isPermitted(place);
    }

    private boolean isPermitted(Tree place) {
      int line = source.firstLine(place);
      return hasPermission(line) || (line > 1 && hasPermission(line - 1));
    }

    private boolean hasPermission(int line) {
      String text = source.line(line);
      int start = text.indexOf(PERMISSION);
      return start >= 0 && !text.substring(start + PERMISSION.length()).isBlank();
    }

    private boolean hasEssay() {
      return source.lines().stream().map(String::strip).anyMatch(line -> line.equals("/*"));
    }

    private void report(List<Violation> found, Tree place, String message) {
      found.add(new Violation(source.path(), source.firstLine(place), message));
    }
  }
}
