/** What is reported of memory against what the operating system counts, and work in little heap. */
@NullMarked
package dev.isogrid.verify.memory;

import org.jspecify.annotations.NullMarked;
