package dev.besom.spark;

import dev.besom.spark.sql.FilterAggregate;
import dev.besom.spark.sql.JoinReductionRule;
import dev.besom.spark.sql.MightContain;
import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import scala.Function1;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * Brings {@code besom_agg} and {@code besom_might_contain} to a session, and the rule that reduces joins, which does nothing
 * until {@value JoinReductionRule#ENABLED} is set. Spark finds it by itself where the jar is on the class path when a
 * session starts; {@code spark.sql.extensions=dev.besom.spark.BesomExtensions} names it.
 */
public final class BesomExtensions implements SparkSessionExtensionsProvider {

    /** For Spark, which makes one for each session. */
    public BesomExtensions() {}

    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        extensions.injectFunction(function(
                FilterAggregate.NAME,
                FilterAggregate.class,
                "besom_agg(column, fpp[, expectedKeys]) - a filter of the column's keys, as binary",
                arguments -> new FilterAggregate(expect(arguments, FilterAggregate.NAME, 2, 3))));
        extensions.injectFunction(function(
                MightContain.NAME,
                MightContain.class,
                "besom_might_contain(filter, key) - false if the key is certainly not in a filter of besom_agg",
                arguments -> {
                    List<Expression> given = expect(arguments, MightContain.NAME, 2, 2);
                    return new MightContain(given.get(0), given.get(1));
                }));
        extensions.injectPreCBORule(session -> new JoinReductionRule());
        return BoxedUnit.UNIT;
    }

    private static Tuple3<FunctionIdentifier, ExpressionInfo, Function1<Seq<Expression>, Expression>> function(
            String name, Class<?> type, String usage, Function1<Seq<Expression>, Expression> maker) {
        return new Tuple3<>(
                new FunctionIdentifier(name),
                new ExpressionInfo(type.getName(), null, name, usage, "", "", "", "", "", "", ""),
                maker);
    }

    private static List<Expression> expect(Seq<Expression> arguments, String name, int least, int most) {
        if (arguments.size() < least || arguments.size() > most) {
            throw new IllegalArgumentException(name + " takes " + least + (most == least ? "" : " or " + most)
                    + " arguments, not " + arguments.size());
        }
        return CollectionConverters.asJava(arguments);
    }
}
