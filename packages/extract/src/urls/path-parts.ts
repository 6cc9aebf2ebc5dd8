/** The parts of a path between its slashes, decoded; a query and a fragment are none of them. */
export function pathParts(path: string | undefined): readonly string[] {
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
