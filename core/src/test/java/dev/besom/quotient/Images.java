package dev.besom.quotient;

import dev.besom.FilterImage;

/** Copies of images, as a file would give them back. */
final class Images {

    private Images() {}

    static FilterImage copy(FilterImage image) {
        return new FilterImage(
                image.kind(),
                parameters(image),
                image.sections().stream().map(long[]::clone).toList());
    }

    static long[] parameters(FilterImage image) {
        long[] parameters = new long[image.parameterCount()];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = image.parameter(i);
        }
        return parameters;
    }
}
