package dev.besom.cli.keys;

import dev.besom.hash.BytesHasher;
import java.io.IOException;

/**
 * Keys that are the flows of captured packets: source address, destination address, source port, destination port and
 * protocol, of IPv4 and IPv6.
 *
 * <pre>
 *   | addresses, 2 x 4 or 2 x 16 bytes | ports 2 x 2 | protocol 1 |   hashed as one string of bytes
 * </pre>
 *
 * <p>Ports are 0 where there are none: for other protocols than TCP, UDP, UDP-Lite, SCTP and DCCP, for all fragments
 * but the first, and where the capture cut the packet off before them. Packets that are not IP are passed over. Known
 * links: Ethernet (with VLAN tags), raw IP, Linux "cooked" captures and the BSD loop-back.
 */
final class FlowReader extends HashReader {

    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86DD;
    private static final int VLAN = 0x8100;
    private static final int PROVIDER_VLAN = 0x88A8;

    private final PacketReader packets;
    private final BytesHasher hashing;
    private final byte[] tuple = new byte[37];
    private int count;

    FlowReader(PacketReader packets, BytesHasher hashing) {
        super(packets.name());
        this.packets = packets;
        this.hashing = hashing;
    }

    @Override
    public int readBatch() throws IOException {
        count = 0;
        try {
            while (count < BATCH_SIZE && packets.next()) {
                readFlow();
            }
        } catch (IOException e) {
            throw failed(e);
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        packets.close();
    }

    private void readFlow() {
        int at = packets.start();
        switch (packets.linkType()) {
            case 1 -> readTyped(at + 12);
            case 0, 108 -> readIp(at + 4);
            case 12, 14, 101, 228, 229 -> readIp(at);
            case 113 -> readTyped(at + 14);
            case 276 -> readTyped(at, at + 20);
            default ->
                throw new BadKeysException(packets.name() + ": captured from a link of type " + packets.linkType()
                        + "; known are Ethernet, raw IP, Linux cooked captures and the BSD loop-back");
        }
    }

    /** A protocol number of two bytes with the protocol's packet behind it, VLAN tags between. */
    private void readTyped(int typeAt) {
        int at = typeAt;
        while (has(at, 2) && (word(at) == VLAN || word(at) == PROVIDER_VLAN)) {
            at += 4;
        }
        readTyped(at, at + 2);
    }

    private void readTyped(int typeAt, int ipAt) {
        if (has(typeAt, 2) && (word(typeAt) == IPV4 || word(typeAt) == IPV6)) {
            readIp(ipAt);
        }
    }

    private void readIp(int at) {
        if (!has(at, 1)) {
            return;
        }
        int version = octet(at) >>> 4;
        if (version == 4 && has(at, 20)) {
            boolean isFirstFragment = (word(at + 6) & 0x1FFF) == 0;
            int headerLength = (octet(at) & 0xF) * 4;
            found(at + 12, 8, octet(at + 9), isFirstFragment ? at + headerLength : -1);
        } else if (version == 6 && has(at, 40)) {
            readIpv6(at);
        }
    }

    /** Walks the extension headers up to the transport's own. */
    private void readIpv6(int ip) {
        int protocol = octet(ip + 6);
        int at = ip + 40;
        while (has(at, 8)) {
            int length;
            switch (protocol) {
                case 0, 43, 60, 135 -> length = (octet(at + 1) + 1) * 8;
                case 51 -> length = (octet(at + 1) + 2) * 4;
                case 44 -> {
                    if (word(at + 2) >>> 3 != 0) {
                        found(ip + 8, 32, octet(at), -1);
                        return;
                    }
                    length = 8;
                }
                default -> {
                    found(ip + 8, 32, protocol, at);
                    return;
                }
            }
            protocol = octet(at);
            at += length;
        }
        found(ip + 8, 32, protocol, at);
    }

    private void found(int addressesAt, int addressBytes, int protocol, int transportAt) {
        System.arraycopy(packets.bytes(), addressesAt, tuple, 0, addressBytes);
        boolean hasPorts = switch (protocol) {
            case 6, 17, 33, 132, 136 -> transportAt >= 0 && has(transportAt, 4);
            default -> false;
        };
        for (int i = 0; i < 4; i++) {
            tuple[addressBytes + i] = hasPorts ? packets.bytes()[transportAt + i] : 0;
        }
        tuple[addressBytes + 4] = (byte) protocol;
        hashes()[count++] = hashing.hash(tuple, 0, addressBytes + 5);
    }

    private boolean has(int at, int count) {
        return at >= packets.start() && at + count <= packets.end();
    }

    private int octet(int at) {
        return packets.bytes()[at] & 0xFF;
    }

    private int word(int at) {
        return octet(at) << 8 | octet(at + 1);
    }
}
