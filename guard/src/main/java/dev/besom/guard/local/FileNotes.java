package dev.besom.guard.local;

import dev.besom.MalformedFilterException;
import dev.besom.codec.AtomicFile;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Notes in a folder, a file each: the contents and their CRC-32C. A note is there whole or not at all, and nobody but its
 * owner can read it where the system knows such rights: one of them is the secret of the hashes.
 */
final class FileNotes implements Notes {

    private static final String PREFIX = "note-";

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path folder;

    FileNotes(Path folder) {
        this.folder = folder;
    }

    @Override
    public byte @Nullable [] read(String name) {
        Path file = folder.resolve(PREFIX + name);
        byte[] all;
        try {
            all = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new StoreException("cannot read " + file, e);
        }
        int length = all.length - Integer.BYTES;
        if (length < 0 || ByteBuffer.wrap(all).getInt(length) != crc(all, length)) {
            throw new MalformedFilterException(file + " is damaged");
        }
        return Arrays.copyOf(all, length);
    }

    @Override
    public void write(String name, byte[] contents) {
        Path file = folder.resolve(PREFIX + name);
        ByteBuffer bytes = ByteBuffer.allocate(contents.length + Integer.BYTES)
                .put(contents)
                .putInt(crc(contents, contents.length))
                .flip();
        try {
            AtomicFile.write(
                    file,
                    channel -> {
                        while (bytes.hasRemaining()) {
                            channel.write(bytes);
                        }
                    },
                    attributes());
        } catch (IOException e) {
            throw new StoreException("cannot write " + file, e);
        }
    }

    private FileAttribute<?>[] attributes() {
        boolean hasRights = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        return hasRights ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0];
    }

    /** The folder belongs to this process, so no other one writes in between. */
    @Override
    public synchronized byte[] writeIfAbsent(String name, byte[] contents) {
        byte[] there = read(name);
        if (there == null) {
            write(name, contents);
        }
        return there == null ? contents : there;
    }

    @Override
    public void remove(String name) {
        Path file = folder.resolve(PREFIX + name);
        try {
            Files.deleteIfExists(file);
            AtomicFile.forceFolder(folder);
        } catch (IOException e) {
            throw new StoreException("cannot delete " + file, e);
        }
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
