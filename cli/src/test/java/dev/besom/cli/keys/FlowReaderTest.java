package dev.besom.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowReaderTest {

    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int ETHERNET = 1;
    private static final int RAW = 101;

    @ParameterizedTest
    @ValueSource(ints = {0xA1B2C3D4, 0xA1B23C4D})
    void theSameFlowsAreFoundInBothByteOrders(int magic) throws IOException {
        byte[][] packets = {
            ethernet(ipv4(TCP, 1, 2, 1000, 80)),
            ethernet(ipv4(TCP, 2, 1, 80, 1000)),
            ethernet(ipv4(TCP, 1, 2, 1000, 80))
        };
        List<Long> big = read(classic(ByteOrder.BIG_ENDIAN, magic, ETHERNET, packets));
        List<Long> little = read(classic(ByteOrder.LITTLE_ENDIAN, magic, ETHERNET, packets));

        assertThat(big).hasSize(3).isEqualTo(little);
        assertThat(big.get(0)).isEqualTo(big.get(2)).isNotEqualTo(big.get(1));
    }

    @Test
    void eachPartOfTheTupleCounts() throws IOException {
        List<Long> keys = read(classic(
                ByteOrder.BIG_ENDIAN,
                0xA1B2C3D4,
                RAW,
                ipv4(TCP, 1, 2, 1000, 80),
                ipv4(UDP, 1, 2, 1000, 80),
                ipv4(TCP, 3, 2, 1000, 80),
                ipv4(TCP, 1, 3, 1000, 80),
                ipv4(TCP, 1, 2, 1001, 80),
                ipv4(TCP, 1, 2, 1000, 81),
                ipv6(TCP, 1, 2, 1000, 80)));
        assertThat(keys).hasSize(7).doesNotHaveDuplicates();
    }

    @Test
    void linkHeadersAndVlanTagsDoNotChangeTheKey() throws IOException {
        byte[] packet = ipv4(UDP, 7, 8, 53, 5353);
        List<Long> raw = read(classic(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, RAW, packet));
        assertThat(read(classic(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, ETHERNET, ethernet(packet))))
                .isEqualTo(raw);
        byte[] tagged = join(new byte[12], new byte[] {(byte) 0x81, 0, 0, 5, 0x08, 0}, packet);
        assertThat(read(classic(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, ETHERNET, tagged)))
                .isEqualTo(raw);
        byte[] cooked = join(new byte[14], new byte[] {0x08, 0}, packet);
        assertThat(read(classic(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, 113, cooked))).isEqualTo(raw);
        byte[] doublyTagged =
                join(new byte[12], new byte[] {(byte) 0x88, (byte) 0xA8, 0, 7, (byte) 0x81, 0, 0, 5, 0x08, 0}, packet);
        assertThat(read(classic(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, ETHERNET, doublyTagged)))
                .isEqualTo(raw);
        byte[] cookedAgain = join(new byte[] {0x08, 0}, new byte[18], packet);
        assertThat(read(classic(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, 276, cookedAgain)))
                .isEqualTo(raw);
        byte[] loopBack = join(new byte[] {2, 0, 0, 0}, packet);
        assertThat(read(classic(ByteOrder.LITTLE_ENDIAN, 0xA1B2C3D4, 0, loopBack)))
                .isEqualTo(raw);
        assertThat(read(blocks(ByteOrder.LITTLE_ENDIAN, RAW, packet))).isEqualTo(raw);
        assertThat(read(blocks(ByteOrder.BIG_ENDIAN, RAW, packet))).isEqualTo(raw);
    }

    @Test
    void eachInterfaceOfACaptureHasItsOwnLink() throws IOException {
        byte[] packet = ipv6(TCP, 7, 8, 443, 50_000);
        ByteBuffer out = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
        sectionHeader(out);
        describeInterface(out, RAW);
        describeInterface(out, ETHERNET);
        enhancedPacket(out, 0, packet);
        enhancedPacket(out, 1, ethernet(packet));
        int padded = (packet.length + 3) / 4 * 4;
        out.putInt(3).putInt(16 + padded).putInt(packet.length).put(Arrays.copyOf(packet, padded));
        out.putInt(16 + padded);
        assertThat(read(Arrays.copyOf(out.array(), out.position())))
                .hasSize(3)
                .containsOnly(read(classic(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, RAW, packet))
                        .get(0));
    }

    @Test
    void packetsCutOffByTheCaptureLosePortsOrCountForNothing() throws IOException {
        byte[] v4 = ipv4(TCP, 1, 2, 1000, 80);
        byte[] v6 = ipv6(TCP, 1, 2, 1000, 80);
        List<Long> keys = read(classic(
                ByteOrder.BIG_ENDIAN,
                0xA1B2C3D4,
                RAW,
                Arrays.copyOf(v4, 23),
                Arrays.copyOf(v4, 20),
                Arrays.copyOf(v4, 19),
                Arrays.copyOf(v6, 43),
                Arrays.copyOf(v6, 40),
                Arrays.copyOf(v6, 39),
                ipv4(TCP, 1, 2, 0, 0),
                ipv6(TCP, 1, 2, 0, 0)));
        assertThat(keys).hasSize(6);
        assertThat(keys.subList(0, 2)).containsOnly(keys.get(4));
        assertThat(keys.subList(2, 4)).containsOnly(keys.get(5)).doesNotContain(keys.get(4));
    }

    @Test
    void ipv6ExtensionHeadersAreSteppedOver() throws IOException {
        byte[] plain = ipv6(UDP, 1, 2, 53, 5353);
        byte[] extended = join(Arrays.copyOf(plain, 40), new byte[] {UDP, 0, 0, 0, 0, 0, 0, 0}, ports(53, 5353));
        extended[6] = 60;
        List<Long> keys = read(classic(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, RAW, plain, extended));
        assertThat(keys.get(0)).isEqualTo(keys.get(1));
    }

    @Test
    void laterFragmentsAndOtherProtocolsHaveNoPorts() throws IOException {
        byte[] fragment = ipv4(UDP, 1, 2, 1000, 80);
        fragment[7] = 1;
        List<Long> keys = read(classic(
                ByteOrder.BIG_ENDIAN,
                0xA1B2C3D4,
                RAW,
                fragment,
                ipv4(UDP, 1, 2, 0, 0),
                ipv4(1, 1, 2, 5, 6),
                ipv4(1, 1, 2, 7, 8)));
        assertThat(keys.get(0)).isEqualTo(keys.get(1));
        assertThat(keys.get(2)).isEqualTo(keys.get(3));
    }

    @Test
    void packetsThatAreNotIpArePassedOver() throws IOException {
        byte[] arp = join(new byte[12], new byte[] {0x08, 0x06}, new byte[28]);
        assertThat(read(classic(
                        ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, ETHERNET, arp, new byte[3], ethernet(ipv4(TCP, 1, 2, 3, 4)))))
                .hasSize(1);
    }

    @Test
    void aCaptureThatBreaksOffEndsWithThePacketBefore() throws IOException {
        byte[] capture = classic(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, RAW, ipv4(TCP, 1, 2, 3, 4), ipv4(TCP, 1, 2, 3, 5));
        assertThat(read(Arrays.copyOf(capture, capture.length - 1))).hasSize(1);
    }

    @Test
    void anythingElseIsRefusedByName() {
        assertThatThrownBy(() -> read(new byte[] {1, 2, 3, 4, 5}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("capture: not a packet capture");
        assertThatThrownBy(() -> read(new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a packet capture");
        assertThatThrownBy(() -> read(new byte[] {0x1F, (byte) 0x8B, 8, 0, 0}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("capture: compressed; unpack it first");
        assertThatThrownBy(() -> read(classic(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, 105, new byte[40])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("capture: captured from a link of type 105; known are Ethernet");
        assertThatThrownBy(() -> read(Arrays.copyOf(classic(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, RAW), 15)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("capture: breaks off");
        byte[] tooLong = classic(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, RAW, new byte[4]);
        ByteBuffer.wrap(tooLong).putInt(24 + 8, -5);
        assertThatThrownBy(() -> read(tooLong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("damaged capture");
    }

    /** Damage gives keys or a refusal, and nothing else. */
    @Test
    void damagedCapturesAreReadOrRefused() throws IOException {
        SplittableRandom random = new SplittableRandom(11);
        byte[][] originals = {
            classic(
                    ByteOrder.LITTLE_ENDIAN,
                    0xA1B2C3D4,
                    ETHERNET,
                    ethernet(ipv4(TCP, 1, 2, 3, 4)),
                    ethernet(ipv6(UDP, 1, 2, 3, 4))),
            blocks(ByteOrder.LITTLE_ENDIAN, RAW, ipv4(TCP, 1, 2, 3, 4), ipv6(UDP, 1, 2, 3, 4))
        };
        int read = 0;
        for (int i = 0; i < 600; i++) {
            byte[] damaged = originals[i % 2].clone();
            for (int flips = 0; flips < 3; flips++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                read(damaged);
                read++;
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("capture");
            }
        }
        assertThat(read).isBetween(1, 599);
    }

    private static List<Long> read(byte[] capture) throws IOException {
        KeyHashing hashing = KeyHashing.seeded(KeyFormat.PCAP, 1);
        List<Long> keys = new ArrayList<>();
        try (HashReader reader = KeyFormat.PCAP.openHashes("capture", new ByteArrayInputStream(capture), hashing)) {
            for (int count = reader.readBatch(); count > 0; count = reader.readBatch()) {
                Arrays.stream(reader.hashes(), 0, count).forEach(keys::add);
            }
        }
        return keys;
    }

    private static byte[] classic(ByteOrder order, int magic, int linkType, byte[]... packets) {
        ByteBuffer out = ByteBuffer.allocate(1 << 12).order(order);
        out.putInt(magic).putShort((short) 2).putShort((short) 4).putInt(0).putInt(0);
        out.putInt(65535).putInt(linkType);
        for (byte[] packet : packets) {
            out.putInt(1).putInt(2).putInt(packet.length).putInt(packet.length).put(packet);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    private static byte[] blocks(ByteOrder order, int linkType, byte[]... packets) {
        ByteBuffer out = ByteBuffer.allocate(1 << 12).order(order);
        sectionHeader(out);
        describeInterface(out, linkType);
        out.putInt(5).putInt(12).putInt(12);
        for (byte[] packet : packets) {
            enhancedPacket(out, 0, packet);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    private static void sectionHeader(ByteBuffer out) {
        out.putInt(0x0A0D0D0A)
                .putInt(28)
                .putInt(0x1A2B3C4D)
                .putInt(1)
                .putLong(-1)
                .putInt(28);
    }

    private static void describeInterface(ByteBuffer out, int linkType) {
        out.putInt(1)
                .putInt(20)
                .putShort((short) linkType)
                .putShort((short) 0)
                .putInt(0)
                .putInt(20);
    }

    private static void enhancedPacket(ByteBuffer out, int interfaceNumber, byte[] packet) {
        int padded = (packet.length + 3) / 4 * 4;
        out.putInt(6).putInt(32 + padded).putInt(interfaceNumber).putInt(0).putInt(0);
        out.putInt(packet.length).putInt(packet.length).put(Arrays.copyOf(packet, padded));
        out.putInt(32 + padded);
    }

    private static byte[] ethernet(byte[] ip) {
        byte[] type = ip[0] >>> 4 == 4 ? new byte[] {0x08, 0} : new byte[] {(byte) 0x86, (byte) 0xDD};
        return join(new byte[12], type, ip);
    }

    private static byte[] ipv4(int protocol, int source, int destination, int sourcePort, int destinationPort) {
        ByteBuffer out = ByteBuffer.allocate(20);
        out.put((byte) 0x45).put(9, (byte) protocol).putInt(12, source).putInt(16, destination);
        return join(out.array(), ports(sourcePort, destinationPort));
    }

    private static byte[] ipv6(int protocol, int source, int destination, int sourcePort, int destinationPort) {
        ByteBuffer out = ByteBuffer.allocate(40);
        out.put((byte) 0x60).put(6, (byte) protocol).putInt(20, source).putInt(36, destination);
        return join(out.array(), ports(sourcePort, destinationPort));
    }

    private static byte[] ports(int source, int destination) {
        return ByteBuffer.allocate(8)
                .putShort((short) source)
                .putShort((short) destination)
                .array();
    }

    private static byte[] join(byte[]... parts) {
        ByteBuffer out = ByteBuffer.allocate(1 << 10);
        for (byte[] part : parts) {
            out.put(part);
        }
        return Arrays.copyOf(out.array(), out.position());
    }
}
