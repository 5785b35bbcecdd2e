/** Long runs under load that check what they read. */
@NullMarked
package dev.isogrid.verify.soak;

import org.jspecify.annotations.NullMarked;
