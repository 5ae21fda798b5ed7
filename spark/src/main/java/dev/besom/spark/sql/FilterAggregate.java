package dev.besom.spark.sql;

import dev.besom.hash.KeyHasher;
import dev.besom.spark.keys.KeyColumn;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.NullType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * {@code besom_agg(column, fpp)} and {@code besom_agg(column, fpp, expectedKeys)}: a blocked Bloom filter of the column's
 * keys, as the bytes of a filter file. Nulls are ignored; of no keys at all it is an empty filter, never null.
 */
public final class FilterAggregate extends TypedImperativeAggregate<AggregateBuffer> implements Serializable {

    /** The name of the function. */
    public static final String NAME = "besom_agg";

    private static final int COLUMN = 0;
    private static final int FPP = 1;
    private static final int EXPECTED = 2;

    private final List<Expression> arguments;
    private final int mutableOffset;
    private final int inputOffset;
    private transient @Nullable KeyColumn keys;

    /** The function of a column, the rate and, if known, the number of keys. */
    public FilterAggregate(List<Expression> arguments) {
        this(arguments, 0, 0);
    }

    private FilterAggregate(List<Expression> arguments, int mutableOffset, int inputOffset) {
        this.arguments = new ArrayList<>(arguments);
        this.mutableOffset = mutableOffset;
        this.inputOffset = inputOffset;
    }

    @Override
    public TypeCheckResult checkInputDataTypes() {
        try {
            if (!(column().dataType() instanceof NullType)) {
                KeyColumn.of(column().dataType(), 0);
            }
            fpp();
            expectedKeys();
            return TypeCheckResult.TypeCheckSuccess$.MODULE$;
        } catch (IllegalArgumentException e) {
            return new TypeCheckResult.TypeCheckFailure(NAME + ": " + e.getMessage());
        }
    }

    private Expression column() {
        return arguments.get(COLUMN);
    }

    private double fpp() {
        double fpp = number(arguments.get(FPP), "the false-positive rate").doubleValue();
        if (!(fpp > 0 && fpp < 1)) {
            throw new IllegalArgumentException("the false-positive rate must be above 0 and below 1, not " + fpp);
        }
        return fpp;
    }

    /** 0 where nobody said. */
    private long expectedKeys() {
        if (arguments.size() <= EXPECTED) {
            return 0;
        }
        long expected =
                number(arguments.get(EXPECTED), "the expected number of keys").longValue();
        if (expected < 1) {
            throw new IllegalArgumentException("the expected number of keys must be at least 1, not " + expected);
        }
        return expected;
    }

    private static Number number(Expression argument, String what) {
        Object value = argument.foldable() ? argument.eval(null) : null;
        if (value instanceof Decimal decimal) {
            return decimal.toDouble();
        }
        if (value instanceof Number number) {
            return number;
        }
        throw new IllegalArgumentException(what + " must be a constant number");
    }

    private KeyColumn keys() {
        KeyColumn made = keys;
        if (made == null) {
            DataType type = column().dataType();
            made = KeyColumn.of(type instanceof NullType ? DataTypes.LongType : type, KeyHasher.DEFAULT_SEED);
            keys = made;
        }
        return made;
    }

    @Override
    public AggregateBuffer createAggregationBuffer() {
        return new AggregateBuffer(fpp(), expectedKeys(), keys().stamp());
    }

    @Override
    public AggregateBuffer update(AggregateBuffer buffer, InternalRow row) {
        Object key = column().eval(row);
        if (key != null && keys().isKey(key)) {
            buffer.addHash(keys().hash(key));
        }
        return buffer;
    }

    @Override
    public AggregateBuffer merge(AggregateBuffer buffer, AggregateBuffer other) {
        buffer.merge(other);
        return buffer;
    }

    @Override
    public Object eval(AggregateBuffer buffer) {
        return buffer.toFilterBytes();
    }

    @Override
    public byte[] serialize(AggregateBuffer buffer) {
        return buffer.serialize();
    }

    @Override
    public AggregateBuffer deserialize(byte[] bytes) {
        AggregateBuffer buffer = createAggregationBuffer();
        buffer.deserialize(bytes);
        return buffer;
    }

    @Override
    public DataType dataType() {
        return DataTypes.BinaryType;
    }

    @Override
    public boolean nullable() {
        return false;
    }

    @Override
    public String prettyName() {
        return NAME;
    }

    @Override
    public Seq<Expression> children() {
        return CollectionConverters.asScala(arguments).toList();
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
        return new FilterAggregate(CollectionConverters.asJava(newChildren), mutableOffset, inputOffset);
    }

    @Override
    public int mutableAggBufferOffset() {
        return mutableOffset;
    }

    @Override
    public int inputAggBufferOffset() {
        return inputOffset;
    }

    @Override
    public ImperativeAggregate withNewMutableAggBufferOffset(int offset) {
        return new FilterAggregate(arguments, offset, inputOffset);
    }

    @Override
    public ImperativeAggregate withNewInputAggBufferOffset(int offset) {
        return new FilterAggregate(arguments, mutableOffset, offset);
    }

    @Override
    public int productArity() {
        return arguments.size() + 2;
    }

    @Override
    public Object productElement(int index) {
        if (index < arguments.size()) {
            return arguments.get(index);
        }
        return index == arguments.size() ? mutableOffset : inputOffset;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof FilterAggregate;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FilterAggregate same
                && arguments.equals(same.arguments)
                && mutableOffset == same.mutableOffset
                && inputOffset == same.inputOffset;
    }

    @Override
    public int hashCode() {
        return Objects.hash(NAME, arguments, mutableOffset, inputOffset);
    }
}
