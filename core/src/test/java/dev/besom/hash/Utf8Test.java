package dev.besom.hash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Utf8Test {

    @Test
    void eightCharactersAreOneWordIfAllOfThemAreAscii() {
        char[] text = "xabcdefghx".toCharArray();
        for (int place = 0; place < 8; place++) {
            char kept = text[1 + place];
            for (char c = 0; c < Character.MAX_VALUE; c++) {
                text[1 + place] = c;
                long expected = -1;
                if (c < 0x80) {
                    expected = 0;
                    for (int i = 7; i >= 0; i--) {
                        expected = expected << 8 | text[1 + i];
                    }
                }
                long word = Utf8.eightIfAscii(new String(text), 1);
                if (expected < 0 ? word >= 0 : word != expected) {
                    assertThat(word).as("%x at %d", (int) c, place).isEqualTo(expected);
                }
            }
            text[1 + place] = kept;
        }
    }
}
