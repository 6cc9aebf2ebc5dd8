/** What a link leads to by its name: a page, a document that is read as text, or media that no page reader reads. */
export type LinkKind = 'page' | 'document' | 'media';

const DOCUMENTS = toSet('pdf doc docx odt rtf xls xlsx ods ppt pptx odp epub');

/** Without endings that are also words of names (`.js`, `.ai`, `.so`), and those of programs that answer pages (`.dll`). */
const MEDIA = toSet(
  'jpg jpeg png gif webp avif jxl bmp ico tif tiff svg svgz heic heif psd eps cr2 nef djvu',
  'mp3 m4a aac ogg oga opus wav flac wma midi aif aiff',
  'mp4 m4v mov avi mkv webm ogv wmv flv mpg mpeg 3gp m3u8 mpd swf',
  'woff woff2 ttf otf eot css ics vcf',
  'zip gz tgz bz2 tbz xz txz zst 7z rar tar jar war iso img dmg exe msi apk aab ipa deb rpm pkg appimage',
  'wasm torrent azw azw3 parquet sqlite sqlite3 mdb accdb pkl npz onnx safetensors stl glb gltf dwg dxf blend',
);

/**
 * What a path leads to by the ending of its last segment. A colon in that segment marks the page about a file
 * (`/wiki/File:Heron.jpg`).
 */
export function linkKindOf(path: string): LinkKind {
  const dot = path.lastIndexOf('.');
  const slash = path.lastIndexOf('/');
  if (dot <= slash + 1 || path.length - dot > 12 || path.includes(':', slash)) return 'page';
  const ending = path.slice(dot + 1).toLowerCase();
  if (DOCUMENTS.has(ending)) return 'document';
  return MEDIA.has(ending) ? 'media' : 'page';
}

function toSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
