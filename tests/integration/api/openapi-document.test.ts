import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { openApiDocument } from '~/http/api/openapi.server';
import { apiGroups, declaredCalls, SITE } from './api-fixture';

const document = openApiDocument(apiGroups, { productName: 'Packwatch', appUrl: SITE });

test('the document passes spectral lint (spectral:oas)', async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[rulesets.oas as unknown as RulesetDefinition, 'recommended']] });
  const results = await linter.run(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
  expect(results.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([]);
});

test.each(declaredCalls)(
  '$name has examples of its body and response that match their schemas',
  ({ description }) => {
    const { body, files, response, example } = description;
    expect(example.body !== undefined).toBe(body !== undefined && files.length === 0);
    if (example.body !== undefined) expect(body?.safeParse(example.body).error).toBeUndefined();
    if (response !== null) expect(response.parse(example.response)).toEqual(example.response);
  },
);

test.each(
  declaredCalls.filter(
    ({ description: { status, mediaTypes, otherStatuses } }) =>
      status >= 300 || '302' in otherStatuses || mediaTypes.some((type) => type.startsWith('text/')),
  ),
)('$name has an example of its text or of the address that it redirects to', ({ method, path }) => {
  const { responses } = (document.paths[path] as Record<string, { responses: Record<string, unknown> }>)[
    method.toLowerCase()
  ] ?? { responses: {} };
  const redirects = responses['302'] as { headers?: { Location?: { example?: string } } } | undefined;
  const sends = responses['200'] as { content: Record<string, { example?: string }> } | undefined;
  if (redirects !== undefined) expect(redirects.headers?.Location?.example).toMatch(/^(?:https:|\/)/);
  for (const [type, { example }] of Object.entries(sends?.content ?? {}))
    if (type.startsWith('text/')) expect(example).toMatch(/\n$/);
});

test('a file field is described in the way of 3.0 and of 3.1', () => {
  const fields = [
    ...JSON.stringify(document).matchAll(/"(?:file|image)":(\{"type":"string","format"[^}]*\})/g),
  ];
  expect(fields).toHaveLength(declaredCalls.filter(({ description }) => description.files.length > 0).length);
  for (const [, schema = ''] of fields)
    expect(JSON.parse(schema)).toEqual({
      type: 'string',
      format: 'binary',
      contentMediaType: 'application/octet-stream',
    });
});

test('a count in the query is documented as an integer with its range', () => {
  const operation = (document.paths['/api/news'] as { get: { parameters: unknown[] } }).get;
  expect(operation.parameters).toContainEqual({
    name: 'limit',
    in: 'query',
    required: false,
    description: '20 by default.',
    schema: { type: 'integer', minimum: 1, maximum: 100 },
  });
});
