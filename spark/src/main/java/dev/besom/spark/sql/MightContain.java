package dev.besom.spark.sql;

import dev.besom.spark.keys.KeyColumn;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.codegen.Block;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import org.apache.spark.sql.execution.ScalarSubquery;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * {@code besom_might_contain(filter, key)}: false if the key is certainly not in the filter, true if it may be, null if one
 * of the two is null. A struct with a null in it is no key that a filter could rule out, so the answer is true.
 *
 * <p>The filter is read when its bytes are seen for the first time. As a literal or a scalar subquery it is the same array
 * for all rows of a task; as a column it is read for each row.
 */
public final class MightContain extends Expression implements Serializable {

    /** The name of the function. */
    public static final String NAME = "besom_might_contain";

    private final Expression filter;
    private final Expression key;
    private transient byte @Nullable [] readFrom;
    private transient FilterBytes.@Nullable Bound bound;

    /** The function of two expressions. */
    public MightContain(Expression filter, Expression key) {
        this.filter = filter;
        this.key = key;
    }

    /** The filter's bytes. */
    Expression filter() {
        return filter;
    }

    /** What is looked up. */
    Expression key() {
        return key;
    }

    @Override
    public Seq<Expression> children() {
        return CollectionConverters.asScala(List.of(filter, key)).toList();
    }

    @Override
    public DataType dataType() {
        return DataTypes.BooleanType;
    }

    @Override
    public boolean nullable() {
        return filter.nullable() || key.nullable() || key.dataType() instanceof NullType;
    }

    @Override
    public String prettyName() {
        return NAME;
    }

    /** A literal is read at once, so that what is wrong with it is an error of the query. */
    @Override
    public TypeCheckResult checkInputDataTypes() {
        DataType filterType = filter.dataType();
        if (!(filterType instanceof BinaryType || filterType instanceof NullType)) {
            return new TypeCheckResult.TypeCheckFailure(
                    NAME + ": the filter must be binary, not " + filterType.simpleString());
        }
        if (key.dataType() instanceof NullType) {
            return TypeCheckResult.TypeCheckSuccess$.MODULE$;
        }
        try {
            KeyColumn.of(key.dataType(), 0);
            if (filter instanceof Literal literal && literal.value() instanceof byte[] bytes) {
                bind(bytes);
            }
            return TypeCheckResult.TypeCheckSuccess$.MODULE$;
        } catch (IllegalArgumentException e) {
            return new TypeCheckResult.TypeCheckFailure(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public @Nullable Object eval(@Nullable InternalRow row) {
        Object filterBytes = filter.eval(row);
        Object keyValue = filterBytes == null ? null : key.eval(row);
        if (filterBytes == null || keyValue == null) {
            return null;
        }
        FilterBytes.Bound asked = bind((byte[]) filterBytes);
        return !asked.keys().isKey(keyValue)
                || asked.filter().mightContainHash(asked.keys().hash(keyValue));
    }

    @Override
    public ExprCode doGenCode(CodegenContext context, ExprCode code) {
        if (filter.dataType() instanceof NullType || key.dataType() instanceof NullType) {
            return ExprCode.forNullValue(DataTypes.BooleanType);
        }
        // A subquery has its result when code is generated, on the driver: where an error is one of the query.
        if (filter instanceof ScalarSubquery && filter.eval(null) instanceof byte[] bytes) {
            bind(bytes);
        }
        ExprCode filterCode = filter.genCode(context);
        ExprCode keyCode = key.genCode(context);
        String self = context.addReferenceObj(NAME, this, MightContain.class.getName());
        String text = """

                boolean %1$s = %3$s || %4$s;
                boolean %2$s = false;
                if (!%1$s) {
                  %2$s = %5$s.test(%6$s, %7$s);
                }
                """.formatted(
                        code.isNull(),
                        code.value(),
                        filterCode.isNull(),
                        keyCode.isNull(),
                        self,
                        filterCode.value(),
                        keyCode.value());
        Block block = filterCode
                .code()
                .$plus(keyCode.code())
                .$plus(new CodeBlock(CollectionConverters.asScala(List.of(text)).toList(), none()));
        return new ExprCode(block, code.isNull(), code.value());
    }

    private static Seq<JavaCode> none() {
        return CollectionConverters.asScala(List.<JavaCode>of()).toList();
    }

    /** The answer for a number; called by generated code. */
    public boolean test(byte[] filterBytes, long keyValue) {
        FilterBytes.Bound asked = bind(filterBytes);
        return asked.filter().mightContainHash(asked.keys().hash(keyValue));
    }

    /** The answer for a text; called by generated code. */
    public boolean test(byte[] filterBytes, UTF8String keyValue) {
        FilterBytes.Bound asked = bind(filterBytes);
        return asked.filter().mightContainHash(asked.keys().hash(keyValue));
    }

    /** The answer for bytes; called by generated code. */
    public boolean test(byte[] filterBytes, byte[] keyValue) {
        FilterBytes.Bound asked = bind(filterBytes);
        return asked.filter().mightContainHash(asked.keys().hash(keyValue));
    }

    /** The answer for a struct; called by generated code. */
    public boolean test(byte[] filterBytes, InternalRow keyValue) {
        FilterBytes.Bound asked = bind(filterBytes);
        return !asked.keys().isKey(keyValue)
                || asked.filter().mightContainHash(asked.keys().hash(keyValue));
    }

    @SuppressWarnings("ArrayEquals")
    private FilterBytes.Bound bind(byte[] bytes) {
        FilterBytes.Bound known = bound;
        if (known == null || readFrom != bytes) {
            known = FilterBytes.read(bytes, key.dataType());
            bound = known;
            readFrom = bytes;
        }
        return known;
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
        return new MightContain(newChildren.apply(0), newChildren.apply(1));
    }

    @Override
    public int productArity() {
        return 2;
    }

    @Override
    public Object productElement(int index) {
        return index == 0 ? filter : key;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof MightContain;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MightContain same && filter.equals(same.filter) && key.equals(same.key);
    }

    @Override
    public int hashCode() {
        return Objects.hash(NAME, filter, key);
    }
}
