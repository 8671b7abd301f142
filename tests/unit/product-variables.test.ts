import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { environmentSchema } from '#shared/environment.server';
import { PRODUCT_VARIABLES } from '../../scripts/project.mjs';

const variables = Object.keys(environmentSchema.shape);

describe('every variable that the product reads', () => {
  // Without this, the tests and benchmarks of a developer whose shell has S3_* would have used that bucket.
  it('is removed from the environment of tests and benchmarks', () => {
    expect(variables.filter((name) => !PRODUCT_VARIABLES.includes(name))).toEqual([]);
  });

  it.each(['.env.example', 'docs/operating.md'])('is described in %s', (file) => {
    const text = readFileSync(file, 'utf8');
    expect(variables.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });
});
