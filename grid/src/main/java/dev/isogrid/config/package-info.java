/**
 * Configuration documents in XML, JSON and YAML: of a single cache ({@link
 * dev.isogrid.config.CacheDocument}) and of a server ({@link dev.isogrid.config.ServerDocument}).
 *
 * <p>The three formats are equal in power. Each is read into one tree of elements, and everything
 * after that knows only the tree. Documents are taken as hostile: size, depth and number of parts
 * are limited, and whatever is wrong with one ends in an {@code InvalidRequestException}. What a
 * document asks for is either done, or listed as ignored because it makes no difference, or refused
 * by its name; nothing is dropped in silence.
 */
@NullMarked
package dev.isogrid.config;

import org.jspecify.annotations.NullMarked;
