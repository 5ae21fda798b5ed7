package dev.besom.spark;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.BloomFilterMightContain;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.aggregate.BloomFilterAggregate;
import scala.Tuple3;
import scala.runtime.BoxedUnit;

/** Names for Spark's own two functions, which it keeps to its optimizer. */
public final class SparksOwnFunctions implements SparkSessionExtensionsProvider {

    /** For Spark. */
    public SparksOwnFunctions() {}

    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        extensions.injectFunction(new Tuple3<>(
                new FunctionIdentifier("bloom_filter_agg"),
                new ExpressionInfo(BloomFilterAggregate.class.getName(), "bloom_filter_agg"),
                arguments -> new BloomFilterAggregate(arguments.apply(0), arguments.apply(1), arguments.apply(2))));
        extensions.injectFunction(new Tuple3<>(
                new FunctionIdentifier("might_contain"),
                new ExpressionInfo(BloomFilterMightContain.class.getName(), "might_contain"),
                arguments -> new BloomFilterMightContain(arguments.apply(0), arguments.apply(1))));
        return BoxedUnit.UNIT;
    }
}
