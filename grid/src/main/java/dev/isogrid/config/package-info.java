/**
 * Configuration documents in XML, JSON and YAML: of a single cache ({@link
 * dev.isogrid.config.CacheDocument}) and of a server ({@link dev.isogrid.config.ServerDocument}).
 *
 * <p>The three formats are equal in power. Each is read into one tree of elements, and everything
 * after that knows only the tree. Documents are treated as hostile: size, depth and number of parts
 * are limited, and every error ends in an {@code InvalidRequestException}. Each part of a document
 * is either applied, or listed as ignored because it makes no difference, or refused by its name;
 * nothing is dropped silently.
 */
@NullMarked
package dev.isogrid.config;

import org.jspecify.annotations.NullMarked;
