/** Support for the tests of all modules: waits with a deadline, ports, time limits. */
@NullMarked
package dev.isogrid.testkit;

import org.jspecify.annotations.NullMarked;
