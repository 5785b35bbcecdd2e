/**
 * Who is a member, who may serve, and what is decided next; and how nodes send each other messages.
 */
@NullMarked
package dev.isogrid.cluster;

import org.jspecify.annotations.NullMarked;
