package dev.besom.cli;

import dev.besom.MembershipFilter;
import dev.besom.filters.Filters;
import dev.besom.filters.ShardFolder;
import dev.besom.filters.ShardManifest;
import dev.besom.spi.Kind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What there is to say of a sharded filter, all of whose shards are read and checked for it. */
final class FolderReport {

    private final String name;

    FolderReport(String name) {
        this.name = name;
    }

    /** @param json where JSON is wanted instead of text */
    void report(Console console, @Nullable JsonWriter json) throws IOException {
        ShardFolder folder = FilterFiles.openFolder(name);
        ShardManifest manifest = folder.manifest();
        MembershipFilter filter = FilterFiles.readAll(name, folder);
        Kind kind = Filters.kind(manifest.kind());
        double bitsPerKey = filter.count() == 0 ? Double.NaN : (double) filter.sizeInBits() / filter.count();
        if (json == null) {
            FilterReport.line(console, "folder", name);
            FilterReport.line(console, "kind", kind.name() + " (" + kind.paper() + ")");
            FilterReport.line(console, "shards", Numbers.whole(manifest.shardCount()) + ", checksums verified");
            FilterReport.line(
                    console,
                    "hasher",
                    manifest.hasher().id()
                            + (manifest.hasher().isSecret() ? ", check value " : ", seed ")
                            + manifest.hasher().seed());
            FilterReport.line(console, "count", Numbers.whole(filter.count()));
            FilterReport.line(console, "size", Numbers.whole(filter.sizeInBits()) + " bits");
            FilterReport.line(console, "bits a key", Numbers.fixed(bitsPerKey, 2));
            FilterReport.line(console, "expected rate", Numbers.percent(filter.expectedFpp()));
            FilterReport.line(console, "file sizes", Numbers.bytes(manifest.sizeInBytes()));
            return;
        }
        json.beginObject()
                .field("folder", name)
                .field("kind", kind.name())
                .field("family", kind.family())
                .field("shards", manifest.shardCount())
                .field("checksum", "verified");
        json.name("hasher")
                .beginObject()
                .field("id", manifest.hasher().id())
                .field("seed", manifest.hasher().seed())
                .field("secret", manifest.hasher().isSecret())
                .endObject();
        json.field("count", filter.count())
                .field("sizeInBits", filter.sizeInBits())
                .field("bitsPerKey", bitsPerKey)
                .field("expectedFpp", filter.expectedFpp())
                .field("fileSizeInBytes", manifest.sizeInBytes())
                .endObject()
                .end();
    }
}
