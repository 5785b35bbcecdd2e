package dev.isogrid.server;

import dev.isogrid.verify.docs.GeneratedPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.OptionSpec;

/** Makes the page of all options of a server from the declarations that also make its help. */
class OptionsPageTest {
  /** The form of a default value in a description. */
  private static final Pattern DEFAULT = Pattern.compile("[;,] default ([^;]*?)\\.?$");

  private static final String HEAD =
      """
      # Options of `isogrid server`

      A test generates this page from the declarations of the options. `isogrid server --help`
      prints the same. After this page you know what each option does, and what holds without it.

      An option goes before the configuration of `--config`. A SIZE is a number of bytes, or has a
      unit as the JVM or as a configuration writes it: `512m`, `4g`, `500MB`, `2GiB`.

      """;

  private static final String TAIL =
      """

      ## Environment

      | variable | meaning |
      |---|---|
      | `ISOGRID_JAVA_OPTS` | further options of the JVM, for example `-Xmx4g` |
      | `ISOGRID_CLASS_PATH` | further jars: a driver of a database for `--discovery`, marshallers |
      | `ISOGRID_DISCOVERY_PASSWORD` | in place of `--discovery-password-file` |
      | `ISOGRID_CLUSTER_TLS_PASSWORD` | in place of `--cluster-tls-password-file` |
      | `ISOGRID_CLUSTER_TLS_TRUST_PASSWORD` | in place of `--cluster-tls-trust-password-file` |
      | `ISOGRID_CACHE` | folder of the start-up cache of an installed server, or `off` |

      The system property `isogrid.log.level` in `ISOGRID_JAVA_OPTS` sets the level of the log
      before the options are read, and of commands without `--log-level`.

      ## Exit codes

      | code | meaning |
      |---|---|
      | 0 | help or the version was asked for, or a client stopped the server |
      | 2 | the options or the configuration are wrong, or a port is taken; one line says why |
      | 3 | the JVM ran out of heap, or the server's part in the cluster failed |
      | 4 | the start failed, and may succeed if it is repeated: the cluster did not answer within \
      `--join-timeout`, or the database of a cache did not |
      | 143, 130, 129 | SIGTERM, SIGINT (Ctrl-C) or SIGHUP stopped the server in an orderly way |
      """;

  private static List<String> row(OptionSpec option) {
    String description = String.join(" ", option.description());
    Matcher given = DEFAULT.matcher(description);
    boolean hasDefault = given.find();
    String meaning = hasDefault ? description.substring(0, given.start()) + "." : description;
    String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
    return List.of(
        "`" + option.longestName() + label + "`", hasDefault ? given.group(1) : "", meaning);
  }

  @Test
  void page_ofTheOptions_isAsTheCodeHasThem() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("option", "default", "meaning"));
    PicocliSyntax.serverSpec().options().forEach(option -> rows.add(row(option)));
    String page = HEAD + GeneratedPage.table(rows) + TAIL;
    GeneratedPage.assertCurrent("docs/reference/server-options.md", OptionsPageTest.class, page);
  }
}
