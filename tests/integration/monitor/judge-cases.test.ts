import { afterAll, beforeAll, expect, test } from 'vitest';
import { productOperations } from '#shared/monitor/products/product-operations';
import { listCases, readCase } from '#shared/monitor/products/judge-cases.server';
import { judgeCases } from '../../../daemon/cli/monitor-commands/judge-cases';
import { storeCheck } from '../alerts/finished-check';
import { createTestDatabase, type TestDatabase } from '../database';
import { insertProductWatch, productCheck } from './product-watch';

const OPERATOR = { actor: { userId: null } };
const PAGE =
  '<html><head><title>Ember Hollow chest</title></head><body><main><h1>Ember Hollow chest</h1><p class="price">£49.99</p><p class="stock">Out of stock</p><button disabled>Sold out</button></main></body></html>';

let database: TestDatabase;
const clock = { now: () => Date.parse('2027-01-15T12:00:00.000Z') };
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.cleanup());

const context = () => ({ db: database.db, clock });
async function storePage(body: string): Promise<string> {
  const watchId = await insertProductWatch(database.db);
  return storeCheck(database.db, clock, {
    ...productCheck(watchId),
    body,
    headers: { 'content-type': 'text/html' },
  });
}

test('a page that was judged wrongly is kept with the right answer, and the judge is run against it', async () => {
  expect(await judgeCases(database.db)).toMatchObject({ lines: ['There are no cases.'], failed: false });
  const checkId = await storePage(PAGE);
  const keep = (answer: object) =>
    productOperations.addCase.run(
      context(),
      OPERATOR,
      productOperations.addCase.input.parse({ checkId, ...answer }),
    );
  await keep({ availability: 'preorder', note: 'The button' });
  await keep({ availability: 'out_of_stock', price: 49.99, note: 'The button' });
  const [kept, ...others] = await listCases(database.db);
  expect(others).toEqual([]);
  expect(kept).toMatchObject({
    title: 'Ember Hollow chest',
    answer: { availability: 'out_of_stock', price: 49.99 },
    note: 'The button',
  });
  // It outlives the check.
  await database.db.deleteFrom('check_bodies').execute();
  expect((await readCase(database.db, kept?.id ?? '')).answer.body).toBe(PAGE);
  expect(await judgeCases(database.db)).toMatchObject({
    failed: false,
    lines: expect.arrayContaining(['1 of 1 are right.']) as string[],
  });

  const wrongId = await storePage(PAGE);
  await productOperations.addCase.run(context(), OPERATOR, {
    checkId: wrongId,
    availability: 'in_stock',
    price: null,
  });
  expect(await judgeCases(database.db)).toMatchObject({
    failed: true,
    json: {
      success: false,
      message: '1 of 2 are right.',
      cases: expect.arrayContaining([
        expect.objectContaining({ right: false, said: { availability: 'out_of_stock', price: 49.99 } }),
      ]) as unknown[],
    },
  });

  await expect(keep({ availability: 'in_stock' })).rejects.toMatchObject({ code: 'page_not_stored' });
  const id = kept?.id ?? '';
  await productOperations.removeCase.run(context(), OPERATOR, { id });
  await expect(productOperations.removeCase.run(context(), OPERATOR, { id })).rejects.toMatchObject({
    kind: 'NotFound',
    code: 'unknown_case',
  });
});
