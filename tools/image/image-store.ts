import { readFileSync, rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { runCommand } from './commands.ts';

const CLOSE_MS = 120_000;

/** Storage of images in a folder of its own, so that those of this machine stay as they are. */
export type ImageStore = ReturnType<typeof openImageStore>;

const Inspected = z.object({
  Docker: z.object({
    config: z.object({
      Entrypoint: z.array(z.string()),
      Cmd: z.array(z.string()),
      Healthcheck: z.object({ Test: z.array(z.string()) }),
    }),
    history: z.array(z.object({ created_by: z.string().default(''), empty_layer: z.boolean().default(false) })),
    rootfs: z.object({ diff_ids: z.array(z.string()) }),
  }),
});
const Layers = z.array(z.object({ 'diff-digest': z.string().optional(), 'diff-size': z.number().default(0) }));

/** A layer: the instruction that made it, and the bytes of its files, not compressed. */
export type ImageLayer = { readonly instruction: string; readonly bytes: number };

/** Opens an empty store; its commands end with the signal. */
export function openImageStore(signal: AbortSignal) {
  const folder = mkdtempSync(join(tmpdir(), 'quern-image-'));
  const storage = join(folder, 'storage');
  const flags = ['--root', storage, '--runroot', join(folder, 'run'), '--storage-driver', 'overlay'];

  const run = async (command: string, args: readonly string[]): Promise<string> =>
    runCommand(command, args, { signal });
  const buildah = async (...args: readonly string[]): Promise<string> =>
    (await run('buildah', [...flags, ...args])).trim();

  async function inspect(image: string) {
    return Inspected.parse(JSON.parse(await buildah('inspect', '--type', 'image', image))).Docker;
  }

  return {
    folder,
    /** Flags of buildah for this store. */
    flags,
    signal,
    run,
    buildah,

    /** Makes an image by changing the file system of another one. */
    async makeImage(
      { from, name }: { from: string; name: string },
      change: (root: string) => Promise<void>,
    ): Promise<void> {
      const container = await buildah('from', '--pull=never', from);
      await change(await buildah('mount', container));
      await buildah('umount', container);
      await buildah('commit', '--quiet', '--rm', container, name);
    },

    /** Builds an image of the folder's Dockerfile. */
    async build(context: string, name: string, options: readonly string[]): Promise<void> {
      // Layers, so that two targets share what they have in common; the format of Docker, which has health checks.
      const fixed = ['--isolation', 'chroot', '--format', 'docker', '--layers', '--pull=never'];
      await buildah('build', ...fixed, ...options, '--tag', name, context);
    },

    async readConfig(image: string) {
      return (await inspect(image)).config;
    },

    /** The layers of an image that have files, from the lowest to the highest. */
    async listLayers(image: string): Promise<readonly ImageLayer[]> {
      const { history, rootfs } = await inspect(image);
      const stored = Layers.parse(JSON.parse(readFileSync(join(storage, 'overlay-layers/layers.json'), 'utf8')));
      const sizes = new Map(stored.map((layer) => [layer['diff-digest'], layer['diff-size']]));
      const instructions = history.filter((step) => !step.empty_layer).map((step) => step.created_by);
      return rootfs.diff_ids.map((id, at) => {
        const bytes = sizes.get(id);
        if (bytes === undefined) throw new Error(`the layer ${id} of ${image} is not in the store`);
        return { instruction: formatInstruction(instructions[at] ?? ''), bytes };
      });
    },

    /** Deletes everything; throws if something is still mounted there. */
    async close(): Promise<void> {
      const late = AbortSignal.timeout(CLOSE_MS);
      await runCommand('buildah', [...flags, 'rm', '--all'], { signal: late });
      const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
      const left = mounts.filter((line) => line.includes(` ${folder}/`));
      // What is mounted there may be a folder of this machine, which must not be deleted.
      if (left.length > 0) throw new Error(`${folder} stays, because something is mounted there:\n${left.join('\n')}`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The instruction in words of the Dockerfile, without what buildah adds; copied files have only a checksum there. */
function formatInstruction(text: string): string {
  if (text === '/bin/sh') return 'base image';
  return text
    .replace(/^\/bin\/sh -c (?:#\(nop\) )?/, '')
    .replace(/(?:dir|file|multi):\w+/, '…')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
