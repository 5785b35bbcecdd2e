/** Map/reduce on nodes that are processes of their own and are killed. */
@NullMarked
package dev.isogrid.verify.mapreduce;

import org.jspecify.annotations.NullMarked;
