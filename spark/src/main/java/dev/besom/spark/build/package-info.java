/** How a filter is built by the tasks of a cluster: hashes go to their shards, and shards or partial filters to the driver. */
@NullMarked
package dev.besom.spark.build;

import org.jspecify.annotations.NullMarked;
