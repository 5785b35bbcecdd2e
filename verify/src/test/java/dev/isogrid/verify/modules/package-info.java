/** Programs on the module path. */
@NullMarked
package dev.isogrid.verify.modules;

import org.jspecify.annotations.NullMarked;
