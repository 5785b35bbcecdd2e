/** Records on a disk that outlive the process: what is written, forced, read again and cleaned. */
@NullMarked
package dev.isogrid.journal;

import org.jspecify.annotations.NullMarked;
