/** The bytes of a screenshot, a PDF or an archive. */
export class FileBody {
  readonly contentType: string;
  /** Null where the service does not say. */
  readonly size: number | null;
  readonly #response: Response;

  constructor(response: Response) {
    this.#response = response;
    this.contentType = response.headers.get('content-type') ?? 'application/octet-stream';
    const size = response.headers.get('content-length');
    this.size = size === null ? null : Number(size);
  }

  /** The bytes as they come; they are read once. */
  get stream(): ReadableStream<Uint8Array> {
    return this.#response.body ?? new Blob([]).stream();
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.#response.arrayBuffer());
  }

  async blob(): Promise<Blob> {
    return this.#response.blob();
  }

  async text(): Promise<string> {
    return this.#response.text();
  }
}
