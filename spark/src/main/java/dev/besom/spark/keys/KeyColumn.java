package dev.besom.spark.keys;

import dev.besom.hash.BytesHasher;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.KeySink;
import dev.besom.hash.LongHasher;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a column and their hashes, which are those of a {@link KeyHasher} that any JVM can make.
 *
 * <pre>
 *   column                               hasher
 *   bigint, int, smallint, tinyint       KeyHasher.longs(seed)
 *   string                               KeyHasher.utf8(seed)
 *   binary                               KeyHasher.bytes(seed)
 *   struct&lt;a bigint, b string, ...&gt;      KeyHasher.of("struct.bigint.string...", feeder, seed), where the feeder gives the
 *                                        fields in order by putLong, putText and putBytes
 * </pre>
 *
 * The names of a struct's fields do not matter, their types and order do. A struct with a null in it is no key.
 */
public final class KeyColumn implements Serializable {

    private static final String STRUCT = "struct";

    /** What a value, or a field of a struct, is. */
    private enum Form {
        NUMBER("bigint"),
        TEXT("string"),
        BYTES("binary");

        private final String label;

        Form(String label) {
            this.label = label;
        }
    }

    private final DataType type;
    private final List<Form> forms;
    private final boolean isStruct;
    private final long seed;
    private transient @Nullable LongHasher longs;
    private transient @Nullable BytesHasher bytes;
    private transient @Nullable KeyHasher<InternalRow> rows;

    private KeyColumn(DataType type, long seed) {
        this.type = type;
        this.seed = seed;
        this.isStruct = type instanceof StructType;
        this.forms = new ArrayList<>();
        if (type instanceof StructType struct) {
            for (StructField field : struct.fields()) {
                forms.add(requireForm(field.dataType(), type));
            }
            if (forms.isEmpty()) {
                throw refusal(type);
            }
        } else {
            forms.add(requireForm(type, type));
        }
    }

    /**
     * The keys of a column of a type.
     *
     * @throws IllegalArgumentException if values of the type are no keys; the message names the type
     */
    public static KeyColumn of(DataType type, long seed) {
        KeyColumn column = new KeyColumn(type, seed);
        column.stamp();
        return column;
    }

    /**
     * The keys of a column as a filter knows them.
     *
     * @param stamp of the hasher that the filter was made with
     * @throws IllegalArgumentException if the filter was made from keys of another type, or under a secret
     */
    public static KeyColumn matching(DataType type, HasherStamp stamp) {
        if (stamp.isSecret()) {
            throw new IllegalArgumentException(
                    "the filter's keys were hashed under a secret (" + stamp.id() + "), which Spark does not have");
        }
        KeyColumn column = of(type, stamp.seed());
        if (!column.stamp().equals(stamp)) {
            throw new IllegalArgumentException("the filter was made with the hasher " + stamp.id()
                    + ", and a column of the type " + type.simpleString() + " has the hasher "
                    + column.stamp().id());
        }
        return column;
    }

    private static Form requireForm(DataType type, DataType whole) {
        if (type instanceof LongType
                || type instanceof IntegerType
                || type instanceof ShortType
                || type instanceof ByteType) {
            return Form.NUMBER;
        }
        // Texts of another collation can be equal with different bytes.
        if (type.equals(DataTypes.StringType)) {
            return Form.TEXT;
        }
        if (type instanceof BinaryType) {
            return Form.BYTES;
        }
        throw refusal(whole);
    }

    private static IllegalArgumentException refusal(DataType type) {
        return new IllegalArgumentException("a column of the type " + type.simpleString()
                + " has no keys: bigint, string, binary and a struct of those have");
    }

    /** What a filter file records of the hasher. */
    public HasherStamp stamp() {
        if (isStruct) {
            return rows().stamp();
        }
        return forms.get(0) == Form.NUMBER ? longs().stamp() : bytes().stamp();
    }

    /** Whether a value of the column, which is not null itself, is a key. */
    public boolean isKey(Object value) {
        return !(value instanceof InternalRow row) || isKey(row);
    }

    /** Whether a struct has no null in it. */
    public boolean isKey(InternalRow struct) {
        return !struct.anyNull();
    }

    /** Whether the column of a row has a key. */
    public boolean isKeyAt(InternalRow row, int ordinal) {
        return !row.isNullAt(ordinal) && (!isStruct || isKey(row.getStruct(ordinal, forms.size())));
    }

    /** The hash of the key that the column of a row has. */
    public long hashAt(InternalRow row, int ordinal) {
        if (isStruct) {
            return hash(row.getStruct(ordinal, forms.size()));
        }
        return switch (forms.get(0)) {
            case NUMBER -> hash(numberAt(row, ordinal, type));
            case TEXT -> hash(row.getUTF8String(ordinal));
            case BYTES -> hash(row.getBinary(ordinal));
        };
    }

    /** The hash of a value of the column as Spark hands it to expressions. */
    public long hash(Object key) {
        if (key instanceof Number number) {
            return hash(number.longValue());
        }
        if (key instanceof UTF8String text) {
            return hash(text);
        }
        return key instanceof byte[] octets ? hash(octets) : hash((InternalRow) key);
    }

    /** The hash of a number. */
    public long hash(long key) {
        return longs().hash(key);
    }

    /** The hash of a text. */
    public long hash(UTF8String key) {
        if (key.getBaseObject() instanceof byte[] base) {
            return bytes().hash(base, (int) (key.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET), key.numBytes());
        }
        return bytes().hash(key.getBytes());
    }

    /** The hash of bytes. */
    public long hash(byte[] key) {
        return bytes().hash(key);
    }

    /** The hash of a struct without a null in it. */
    public long hash(InternalRow key) {
        return rows().hash(key);
    }

    private static long numberAt(InternalRow row, int ordinal, DataType type) {
        if (type instanceof LongType) {
            return row.getLong(ordinal);
        }
        if (type instanceof IntegerType) {
            return row.getInt(ordinal);
        }
        return type instanceof ShortType ? row.getShort(ordinal) : row.getByte(ordinal);
    }

    private void feed(InternalRow key, KeySink sink) {
        StructField[] fields = ((StructType) type).fields();
        for (int i = 0; i < fields.length; i++) {
            switch (forms.get(i)) {
                case NUMBER -> sink.putLong(numberAt(key, i, fields[i].dataType()));
                // A text is laid out as its bytes are.
                case TEXT -> sink.putBytes(key.getUTF8String(i).getBytes());
                case BYTES -> sink.putBytes(key.getBinary(i));
            }
        }
    }

    private LongHasher longs() {
        LongHasher made = longs;
        if (made == null) {
            made = KeyHasher.longs(seed);
            longs = made;
        }
        return made;
    }

    private BytesHasher bytes() {
        BytesHasher made = bytes;
        if (made == null) {
            made = KeyHasher.bytes(seed);
            bytes = made;
        }
        return made;
    }

    private KeyHasher<InternalRow> rows() {
        KeyHasher<InternalRow> made = rows;
        if (made == null) {
            made = KeyHasher.of(
                    STRUCT + forms.stream().map(form -> "." + form.label).collect(Collectors.joining()),
                    this::feed,
                    seed);
            rows = made;
        }
        return made;
    }
}
