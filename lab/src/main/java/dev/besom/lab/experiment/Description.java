package dev.besom.lab.experiment;

import java.util.regex.Pattern;

/**
 * What an experiment is.
 *
 * @param name as used on the command line: small letters, digits and hyphens
 * @param title a short heading
 * @param paper authors, title, venue and year
 * @param figure which figure, table or section of the paper it is
 * @param toSee a sentence or two on what to see in the plot
 */
public record Description(String name, String title, String paper, String figure, String toSee) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    public Description {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name + "' is not a name of small letters, digits and hyphens");
        }
    }
}
