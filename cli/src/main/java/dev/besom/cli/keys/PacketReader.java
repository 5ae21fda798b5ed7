package dev.besom.cli.keys;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The packets of a capture file, one after the other: classic pcap in both byte orders, with microseconds or
 * nanoseconds, and pcapng.
 *
 * <pre>
 *   classic   magic 4 | version 4 | zone 4 | accuracy 4 | longest packet 4 | link type 4
 *             then for each packet: seconds 4 | fraction 4 | captured length 4 | original length 4 | bytes
 *   pcapng    blocks: type 4 | length 4 | body | length 4
 * </pre>
 *
 * <p>A capture that breaks off within a packet, as one does whose writer was stopped, ends with the packet before.
 * Lengths are checked before anything is allocated for them.
 */
final class PacketReader implements AutoCloseable {

    private static final int MICROSECONDS = 0xA1B2C3D4;
    private static final int NANOSECONDS = 0xA1B23C4D;
    private static final int SECTION_HEADER = 0x0A0D0D0A;
    private static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
    private static final int GZIP = 0x1F8B;
    private static final int INTERFACE = 1;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;

    /** No capture tool writes longer packets or blocks; a file that claims one is damaged. */
    private static final int LONGEST_PACKET = 1 << 24;

    private final String name;
    private final InputStream in;
    private final boolean isBlocks;
    private ByteOrder order;
    private final List<Integer> linkTypes = new ArrayList<>();

    private byte[] bytes = new byte[1 << 12];
    private int start;
    private int end;
    private int linkType;

    private PacketReader(String name, InputStream in, boolean isBlocks, ByteOrder order) {
        this.name = name;
        this.in = in;
        this.isBlocks = isBlocks;
        this.order = order;
    }

    /**
     * Reads the head of a capture.
     *
     * @throws BadKeysException if the file is none
     */
    static PacketReader open(String name, InputStream raw) throws IOException {
        InputStream in = new BufferedInputStream(raw, 1 << 16);
        byte[] head = in.readNBytes(4);
        int magic = head.length < 4 ? 0 : ByteBuffer.wrap(head).getInt();
        boolean isBlocks = magic == SECTION_HEADER;
        boolean isBigEndian = isBlocks || magic == MICROSECONDS || magic == NANOSECONDS;
        int reversed = Integer.reverseBytes(magic);
        if (!isBigEndian && reversed != MICROSECONDS && reversed != NANOSECONDS) {
            throw new BadKeysException(name
                    + (magic >>> 16 == GZIP
                            ? ": compressed; unpack it first"
                            : ": not a packet capture (pcap or pcapng)"));
        }
        PacketReader reader =
                new PacketReader(name, in, isBlocks, isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        try {
            if (isBlocks) {
                reader.readSectionHeader();
            } else {
                // The word's upper bits tell the length of a frame check sequence, which does not matter here.
                reader.linkType = reader.readBody(20).getInt(16) & 0xFFFF;
            }
        } catch (EOFException e) {
            throw new BadKeysException(name + ": breaks off within the capture's header", e);
        }
        return reader;
    }

    /** Reads one packet; false at the end of the capture. */
    boolean next() throws IOException {
        try {
            return isBlocks ? nextOfBlocks() : nextClassic();
        } catch (EOFException e) {
            return false;
        }
    }

    /** What the packet was captured from, by the numbers of the pcap format. */
    int linkType() {
        return linkType;
    }

    /** The array that holds the packet, from {@link #start()} to {@link #end()}; overwritten by the next packet. */
    byte[] bytes() {
        return bytes;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    String name() {
        return name;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private boolean nextClassic() throws IOException {
        int captured = readBody(16).getInt(8);
        readBody(captured);
        start = 0;
        end = captured;
        return true;
    }

    private boolean nextOfBlocks() throws IOException {
        while (true) {
            int type = readBody(4).getInt(0);
            if (type == SECTION_HEADER) {
                readSectionHeader();
                continue;
            }
            int length = readBody(4).getInt(0);
            int bodyLength = length - 12;
            checkBody(bodyLength, 0);
            ByteBuffer body = readBody(bodyLength + 4);
            switch (type) {
                case INTERFACE -> {
                    checkBody(bodyLength, 8);
                    linkTypes.add(body.getShort(0) & 0xFFFF);
                }
                case ENHANCED_PACKET -> {
                    checkBody(bodyLength, 20);
                    int number = body.getInt(0);
                    if (number < 0 || number >= linkTypes.size()) {
                        throw damaged("a packet names interface " + number + ", which was not described");
                    }
                    linkType = linkTypes.get(number);
                    start = 20;
                    end = start + checkCaptured(body.getInt(12), bodyLength - 20);
                    return true;
                }
                case SIMPLE_PACKET -> {
                    checkBody(bodyLength, 4);
                    if (linkTypes.isEmpty()) {
                        throw damaged("a packet comes before any interface was described");
                    }
                    linkType = linkTypes.get(0);
                    start = 4;
                    end = start + Math.min(body.getInt(0) & Integer.MAX_VALUE, bodyLength - 4);
                    return true;
                }
                default -> {
                    // Statistics, names and what else a capture may hold.
                }
            }
        }
    }

    /** Reads what follows a section header's type: the length can be read only once the byte order is known. */
    private void readSectionHeader() throws IOException {
        byte[] head = in.readNBytes(8);
        if (head.length < 8) {
            throw new EOFException();
        }
        ByteBuffer view = ByteBuffer.wrap(head);
        if (view.getInt(4) == BYTE_ORDER_MAGIC) {
            order = ByteOrder.BIG_ENDIAN;
        } else if (Integer.reverseBytes(view.getInt(4)) == BYTE_ORDER_MAGIC) {
            order = ByteOrder.LITTLE_ENDIAN;
        } else {
            throw damaged("a section has no byte order");
        }
        linkTypes.clear();
        readBody(view.order(order).getInt(0) - 12);
    }

    private ByteBuffer readBody(int length) throws IOException {
        if (length < 0 || length > LONGEST_PACKET) {
            throw damaged("a packet or block is said to have " + Integer.toUnsignedString(length) + " bytes");
        }
        if (bytes.length < length) {
            bytes = new byte[Math.max(length, bytes.length * 2)];
        }
        if (in.readNBytes(bytes, 0, length) < length) {
            throw new EOFException();
        }
        return ByteBuffer.wrap(bytes).order(order);
    }

    private void checkBody(int length, int least) {
        if (length < least) {
            throw damaged("a block of " + length + " bytes is too short for its type");
        }
    }

    private int checkCaptured(int captured, int room) {
        if (captured < 0 || captured > room) {
            throw damaged("a packet is longer than the block around it");
        }
        return captured;
    }

    private BadKeysException damaged(String why) {
        return new BadKeysException(name + ": damaged capture: " + why);
    }
}
