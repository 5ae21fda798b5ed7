/**
 * Approximate maps: filters whose keys have values.
 *
 * <ul>
 *   <li>{@code FuseMap}: an array in which the exclusive or of a key's slots is its fingerprint and value.
 *   <li>{@code PerfectHashMap}: a minimal perfect hash function and an array of fingerprints and values.
 *   <li>{@code PairedBloomMap}: pairs of Bloom filters, one of the keys with a bit 0 and one of those with a bit 1.
 *   <li>{@code DynamicMap}: numbers of keys with their values in a compressed set that changes.
 *   <li>{@code CompactApproximator}: an array of lattice elements, whose answers are never below the true value.
 * </ul>
 *
 * <p>A <i>value</i> is a number from 0 on of up to 32 bits. {@code Entries} are the hashes of a map, each once, with their values.
 */
@NullMarked
package dev.besom.bloomier;

import org.jspecify.annotations.NullMarked;
