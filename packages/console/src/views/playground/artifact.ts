import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ApiFailure, send, toApiFailure } from '#console/app/api.ts';
import { jsonIn } from '#console/app/reading.ts';
import { FailureNote } from '#console/parts/failure.ts';
import { toSize } from '#console/parts/time.ts';

const FILE_MS = 120_000;

type ArtifactFileProps = { readonly path: string; readonly name: string };

/** A file that the service keeps, as a picture or to be saved. Only addresses of the service itself are asked. */
export function ArtifactFile({ path, name }: ArtifactFileProps): VNode {
  const [file, setFile] = useState<Blob | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    async function read(): Promise<void> {
      const response = await send('GET', path, { signal: leaving.signal, timeoutMs: FILE_MS });
      if (!(response instanceof Response)) return setFailure(response);
      if (!response.ok) return setFailure(toApiFailure(response, jsonIn(await response.text())));
      return setFile(await response.blob());
    }
    if (path.startsWith('/v1/artifacts/')) void read();
    return () => leaving.abort();
  }, [path]);
  if (failure !== null && failure.code !== 'aborted') return html`<${FailureNote} failure=${failure} />`;
  return file === null
    ? html`<p class="loading" aria-busy="true">Loading …</p>`
    : html`<${FileView} file=${file} name=${name} />`;
}

type FileViewProps = { readonly file: Blob; readonly name: string };

/** A file: a picture is shown, any other is offered. */
export function FileView({ file, name }: FileViewProps): VNode | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (url === null) return null;
  const ending = file.type.split('/')[1] ?? 'bin';
  const isPicture = /^image\/(?:png|jpeg|webp|gif)$/.test(file.type);
  return html`<div class="file">
    ${isPicture ? html`<img src=${url} alt=${`The ${name} of the page`} />` : null}
    <p>
      <a href=${url} download=${`${name}.${ending}`}>Save the ${name}</a>${' '}
      <span class="faint">${file.type}, ${toSize(file.size)}</span>
    </p>
  </div>`;
}
