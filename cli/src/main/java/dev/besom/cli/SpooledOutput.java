package dev.besom.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Output that is held back until it is complete: in memory while it is short, then in a temporary file. */
final class SpooledOutput extends OutputStream {

    private static final int MEMORY_BYTES = 1 << 20;

    private ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private @Nullable FileChannel file;

    @Override
    public void write(int b) throws IOException {
        memory.write(b);
        spillIfLarge();
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        memory.write(bytes, from, count);
        spillIfLarge();
    }

    private void spillIfLarge() throws IOException {
        if (memory.size() < MEMORY_BYTES) {
            return;
        }
        if (file == null) {
            Path path = Files.createTempFile("besom-", ".out");
            file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        }
        memory.writeTo(Channels.newOutputStream(file));
        memory.reset();
    }

    /** Writes everything to where it belongs. */
    void writeTo(OutputStream target) throws IOException {
        if (file != null) {
            file.position(0);
            Channels.newInputStream(file).transferTo(target);
        }
        memory.writeTo(target);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
