package dev.besom.guard;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real folder on a disk that is full, or dead, after a number of bytes: every file under {@link #path} is a real one, and
 * all calls go to it while room lasts. Making a file costs one byte of room. Where the room ends within a write, its first
 * part is written.
 */
public final class FailingDisk extends FileSystemProvider {

    /** What still works when there is no room left. */
    public enum End {
        /** Everything that needs no room: renaming, cutting and deleting. */
        FULL,
        /** Reading, as if the process had ended there: what comes after the end leaves no trace. */
        DEAD
    }

    /** A call that reads or changes a file or a folder. */
    @FunctionalInterface
    public interface FileCall {
        /** Makes it. */
        void make() throws IOException;
    }

    /** What calls go through. */
    @FunctionalInterface
    public interface Calls {
        /** Makes a call, or lets it fail. */
        void make(FileCall call) throws IOException;
    }

    private final Path real;
    private final FileSystemProvider provider;
    private final Paths paths;
    private final End end;
    private long room;
    private volatile boolean hasFailed;
    /** Files whose bytes a power cut may take back, and names that it may give back or take away. */
    private final Set<Path> unforcedBytes = ConcurrentHashMap.newKeySet();

    private final Set<Path> unforcedNames = ConcurrentHashMap.newKeySet();

    /** How many bytes of a file are on the disk. */
    private final Map<Path, Long> forcedSizes = new ConcurrentHashMap<>();

    /** What calls go through that read. */
    public volatile Calls reads = FileCall::make;

    /** What calls go through that change something. */
    public volatile Calls changes = FileCall::make;

    /** Called before each write to a file. */
    public volatile Runnable beforeWrite = () -> {};

    public FailingDisk(Path folder, long room, End end) {
        this.real = folder;
        this.provider = folder.getFileSystem().provider();
        this.room = room;
        this.end = end;
        this.paths = new Paths(folder.getFileSystem());
    }

    /** A disk of room enough whose calls are numbered. It forces nothing in earnest: there are thousands of lives. */
    public static FailingDisk numbered(Path folder, NumberedCalls calls) {
        FailingDisk disk = new FailingDisk(folder, Long.MAX_VALUE, End.FULL);
        disk.reads = calls::readFile;
        disk.changes = calls::changeFile;
        return disk;
    }

    /** The folder. */
    public Path path() {
        return wrapped(real);
    }

    /** Whether anything has failed for want of room. */
    public boolean hasFailed() {
        return hasFailed;
    }

    public synchronized void addRoom(long more) {
        room += more;
    }

    /** Leaves no room. */
    public synchronized void end() {
        room = 0;
    }

    /** The names of files of which anything is not forced to the disk. */
    public List<String> unforced() {
        return Stream.concat(unforcedBytes.stream(), unforcedNames.stream())
                .map(path -> String.valueOf(path.getFileName()))
                .distinct()
                .sorted()
                .toList();
    }

    void written(Path path) {
        unforcedBytes.add(path);
    }

    /**
     * Keeps a file's bytes, or a folder's names. Where that fails the bytes since the last time are lost: a system may drop what
     * it could not write.
     */
    void force(Path path, FileChannel file) throws IOException {
        try {
            changes.make(() -> {
                if (unforcedBytes.remove(path)) {
                    forcedSizes.put(path, file.size());
                }
                unforcedNames.removeIf(each -> path.equals(each.getParent()));
            });
        } catch (IOException e) {
            if (unforcedBytes.contains(path)) {
                file.truncate(forcedSizes.getOrDefault(path, 0L));
            }
            throw e;
        }
    }

    /** How many of so many bytes may be written; takes them away. */
    synchronized int take(int bytes) throws IOException {
        if (bytes > 0 && room == 0) {
            hasFailed = true;
            throw new IOException("no room left on the failing disk");
        }
        int taken = (int) Math.min(bytes, room);
        room -= taken;
        return taken;
    }

    /** For what changes files without room. */
    synchronized void change() throws IOException {
        if (end == End.DEAD && room == 0) {
            hasFailed = true;
            throw new IOException("the failing disk is dead");
        }
    }

    private Path wrapped(Path path) {
        InvocationHandler handler = new Wrapper(path);
        return (Path) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Path.class}, handler);
    }

    private static Path unwrapped(Path path) {
        return Proxy.isProxyClass(path.getClass()) && Proxy.getInvocationHandler(path) instanceof Wrapper wrapper
                ? wrapper.inner
                : path;
    }

    private final class Wrapper implements InvocationHandler {
        final Path inner;

        Wrapper(Path inner) {
            this.inner = inner;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (method.getName().equals("getFileSystem")) {
                return paths;
            }
            Object[] plain = arguments == null ? new Object[0] : arguments.clone();
            for (int i = 0; i < plain.length; i++) {
                if (plain[i] instanceof Path path) {
                    plain[i] = unwrapped(path);
                }
            }
            try {
                Object result = method.invoke(inner, plain);
                return result instanceof Path path ? wrapped(path) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        boolean creates =
                options.contains(StandardOpenOption.CREATE_NEW) || options.contains(StandardOpenOption.CREATE);
        Path inner = unwrapped(path);
        FileChannel[] opened = new FileChannel[1];
        if (creates) {
            take(1);
            unforcedNames.add(inner);
        }
        (creates ? changes : reads).make(() -> opened[0] = provider.newFileChannel(inner, options, attributes));
        return new FailingChannel(this, inner, opened[0]);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> inner = provider.newDirectoryStream(unwrapped(folder), path -> true);
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                Iterator<Path> all = inner.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return all.hasNext();
                    }

                    @Override
                    public Path next() {
                        return wrapped(all.next());
                    }
                };
            }

            @Override
            public void close() throws IOException {
                inner.close();
            }
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        changes.make(() -> provider.createDirectory(unwrapped(folder), attributes));
        unforcedNames.add(unwrapped(folder));
    }

    @Override
    public void delete(Path path) throws IOException {
        change();
        changes.make(() -> provider.delete(unwrapped(path)));
        unforcedNames.add(unwrapped(path));
        unforcedBytes.remove(unwrapped(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        take(1);
        provider.copy(unwrapped(source), unwrapped(target), options);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        change();
        changes.make(() -> moveNow(unwrapped(source), unwrapped(target), options));
    }

    private void moveNow(Path source, Path target, CopyOption... options) throws IOException {
        provider.move(source, target, options);
        unforcedNames.remove(source);
        unforcedNames.add(target);
        if (unforcedBytes.remove(source)) {
            unforcedBytes.add(target);
        }
        Long forcedSize = forcedSizes.remove(source);
        if (forcedSize != null) {
            forcedSizes.put(target, forcedSize);
        }
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return provider.isSameFile(unwrapped(path), unwrapped(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return provider.isHidden(unwrapped(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return provider.getFileStore(unwrapped(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        provider.checkAccess(unwrapped(path), modes);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return provider.getFileAttributeView(unwrapped(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return provider.readAttributes(unwrapped(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) throws IOException {
        return provider.readAttributes(unwrapped(path), names, options);
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options) throws IOException {
        provider.setAttribute(unwrapped(path), name, value, options);
    }

    @Override
    public String getScheme() {
        return "failing";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
        return paths;
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return paths;
    }

    @Override
    public Path getPath(URI uri) {
        return wrapped(Path.of(uri));
    }

    private final class Paths extends FileSystem {

        private final FileSystem inner;

        Paths(FileSystem inner) {
            this.inner = inner;
        }

        @Override
        public FileSystemProvider provider() {
            return FailingDisk.this;
        }

        @Override
        public void close() {}

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public String getSeparator() {
            return inner.getSeparator();
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            return inner.getRootDirectories();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            return inner.getFileStores();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return inner.supportedFileAttributeViews();
        }

        @Override
        public Path getPath(String first, String... more) {
            return wrapped(inner.getPath(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String pattern) {
            return inner.getPathMatcher(pattern);
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            return inner.getUserPrincipalLookupService();
        }

        @Override
        public WatchService newWatchService() throws IOException {
            return inner.newWatchService();
        }
    }
}
