package dev.besom.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How many keys are stored: as many as an array holds, and where it is more the limit is told. */
final class KeyCountConverter implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    "'" + text + "' is not a whole number up to " + Numbers.whole(Integer.MAX_VALUE));
        }
    }
}
