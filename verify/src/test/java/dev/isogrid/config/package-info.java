/** Makes the reference of the configuration from what reads it. */
@NullMarked
package dev.isogrid.config;

import org.jspecify.annotations.NullMarked;
