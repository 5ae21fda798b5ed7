/** Two small kinds of filters: one that keys are put into, and one that is built from all its keys. */
@NullMarked
package com.example.kinds;

import org.jspecify.annotations.NullMarked;
