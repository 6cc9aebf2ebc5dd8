import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildClientFiles } from '#tools/clients/files.ts';

for (const [file, text] of buildClientFiles())
  test(`clients/${file} matches the OpenAPI document (npm run generate:clients updates it)`, () => {
    assert.equal(readFileSync(join(import.meta.dirname, '../../clients', file), 'utf8'), text);
  });
