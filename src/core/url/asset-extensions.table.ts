// Extensions of files without documentation text that we can extract. A link to one is excluded before it costs a request.
// A linked EPUB is almost always the site itself as a book, so it is listed too; as a start or a file it is read.
// Extensions that are also identifiers (`.map`, `.bin`, `.css`) are not listed: `/api/array.map` is a page.

export const ASSET_EXTENSIONS: ReadonlySet<string> = new Set(
  [
    '7z aac apk avi avif bmp bz2 deb dll dmg doc eot eps epub exe flac flv gif gz heic ico jar jpeg jpg m4a m4v',
    'mkv mobi mov mp3 mp4 mpeg mpg msi odp ods ogg ogv otf png ppt psd rar rpm svg swf tar tgz tif tiff',
    'ttf wav webm webp whl wmv woff woff2 xls xlsx xz zip zst',
  ].flatMap((line) => line.split(' ')),
);
