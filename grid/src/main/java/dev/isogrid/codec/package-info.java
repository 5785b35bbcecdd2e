/** From one media type to another: what a client sends or asks for, and what a cache keeps. */
@NullMarked
package dev.isogrid.codec;

import org.jspecify.annotations.NullMarked;
