/** The decoded segments of a path; query and fragment are ignored. */
export function splitPath(path: string | undefined): readonly string[] {
  const [plain = ''] = (path ?? '').split(/[?#]/);
  return plain.split('/').filter(Boolean).map(decodePart);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
