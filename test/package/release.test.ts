import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../house/house.ts';

const Step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  if: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
});
const Job = z.object({
  needs: z.string().optional(),
  permissions: z.record(z.string(), z.string()).default({}),
  strategy: z.object({ matrix: z.object({ folder: z.array(z.string()) }) }).optional(),
  steps: z.array(Step),
});
const Workflow = z.object({ permissions: z.record(z.string(), z.string()), jobs: z.record(z.string(), Job) });

const text = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
const { jobs, permissions } = Workflow.parse(parse(text));

test('nothing is published before all checks and tests have passed', () => {
  assert.ok(jobs['check-and-test']?.steps.some(({ run }) => run === '.ci/run'));
  for (const [name, { needs }] of Object.entries(jobs))
    assert.equal(needs, name === 'check-and-test' ? undefined : 'check-and-test', name);
});

test('packages, both images and both clients are published, and only for a tag', () => {
  const packages = ['extract', 'sites', 'console', 'quern'].map((name) => `packages/${name}`);
  assert.deepEqual(jobs['package']?.strategy?.matrix.folder, [...packages, 'clients/typescript']);
  const publishes = jobs['package']?.steps.find(({ run }) => run?.startsWith('npm publish'));
  assert.match(publishes?.run ?? '', /\$\{\{ github\.ref_type == 'tag' && ' ' \|\| '--dry-run' \}\}$/);
  const images = jobs['image']?.steps.filter(({ uses }) => uses?.startsWith('docker/build-push-action@')) ?? [];
  const tag = 'ghcr.io/${{ github.repository }}:${{ github.ref_name }}';
  assert.deepEqual(
    images.map(({ with: { push, target, tags } }) => [push, target, tags]),
    [
      ["${{ github.ref_type == 'tag' }}", undefined, tag],
      ["${{ github.ref_type == 'tag' }}", 'full', `${tag}-full`],
    ],
  );
  const python = jobs['python']?.steps ?? [];
  assert.ok(python.some(({ run }) => run === 'pipx run build --outdir dist-python clients/python'));
  assert.equal(python.find(({ uses }) => uses?.startsWith('pypa/'))?.if, "github.ref_type == 'tag'");
});

test('each job has write permission only for what it publishes', () => {
  assert.deepEqual(permissions, { contents: 'read' });
  assert.deepEqual(jobs['package']?.permissions, { contents: 'read', 'id-token': 'write' });
  assert.deepEqual(jobs['image']?.permissions, { contents: 'read', packages: 'write' });
  assert.deepEqual(jobs['python']?.permissions, { contents: 'read', 'id-token': 'write' });
});
