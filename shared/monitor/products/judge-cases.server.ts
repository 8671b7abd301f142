import { promisify } from 'node:util';
import { deflateSync, inflate } from 'node:zlib';
import { z } from 'zod';
import { writeAudit, type Actor } from '../../audit/write-audit';
import { toIso, type Clock } from '../../clock';
import type { Database } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { newId } from '../../ids';
import { plainLine } from '../../text';
import { readStoredAnswer, type StoredAnswer } from '../checks/reading/stored-answer.server';
import { firstBytes, RAW_RESPONSE_LIMIT } from '../checks/stored-body.server';
import { AVAILABILITIES, type ExpectedProduct } from '../checks/verdict';

/** The pages take some 20 MB then. */
const MAX_CASES = 500;

const PRICE_RULE = 'Please enter a price such as 49.99.';

/** The right answer of a page that was judged wrongly. */
export const caseAnswer = z.object({
  availability: z.enum(AVAILABILITIES, 'Please choose what the page shows.'),
  price: z
    .number(PRICE_RULE)
    .min(0.01, PRICE_RULE)
    .max(1_000_000, PRICE_RULE)
    .nullable()
    .default(null)
    .describe('In the main unit of the currency; null: any price is right.'),
});
export type CaseAnswer = z.output<typeof caseAnswer>;

export const caseNote = plainLine(200).optional().describe('What is wrong, for people.');

const storedPage = z.object({
  requestUrl: z.string(),
  finalUrl: z.string(),
  status: z.number(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  hops: z.array(z.string()),
  unverified: z.boolean(),
  errorMessage: z.string().nullable(),
});

const storedExpectation = z.object({
  title: z.string().nullable(),
  gtin: z.string().nullable(),
  variantKey: z.string().nullable(),
});

/** A stored case, without its page. */
export interface JudgeCase {
  id: string;
  /** The title of its watch. */
  title: string;
  url: string;
  answer: CaseAnswer;
  note: string | null;
  createdAt: string;
}

/**
 * Stores the page of a check with the right answer, as a case that the judge is run against; a second answer for the same
 * check replaces the first. Throws `NotFound` (`page_not_stored`) for a check without a stored page or of a waiting room, and
 * `Conflict` (`too_many_cases`).
 */
export async function addCase(
  db: Database,
  {
    checkId,
    answer,
    note = '',
    actor,
    clock,
  }: { checkId: string; answer: CaseAnswer; note?: string | undefined; actor: Actor; clock: Clock },
): Promise<void> {
  const stored = await readStoredAnswer(db, checkId);
  if (stored?.product === undefined)
    throw new DomainError('NotFound', {
      code: 'page_not_stored',
      message: 'The page of this check is not stored: pages of products are kept for a week.',
    });
  const { title } = await db
    .selectFrom('monitor_checks')
    .innerJoin('watches', 'watches.id', 'monitor_checks.watch_id')
    .select('watches.title')
    .where('monitor_checks.id', '=', checkId)
    .executeTakeFirstOrThrow();
  const { body, requestUrl, finalUrl, status, headers, hops, unverified } = stored.answer;
  const page: z.input<typeof storedPage> = {
    requestUrl,
    finalUrl,
    status,
    headers,
    hops: hops.map(({ url }) => url),
    unverified,
    errorMessage: stored.errorMessage,
  };
  const now = clock.now();
  const values = {
    title,
    page: JSON.stringify(page),
    deflated: deflateSync(firstBytes(body, RAW_RESPONSE_LIMIT)),
    expected: JSON.stringify(stored.product),
    answer: JSON.stringify(answer),
    note: note === '' ? null : note,
    created_by: actor.userId,
    created_at: toIso(now),
  };
  await inTransaction(db, async (trx) => {
    const { cases } = await trx
      .selectFrom('judge_cases')
      .select((row) => row.fn.countAll<number>().as('cases'))
      .where('check_id', '<>', checkId)
      .executeTakeFirstOrThrow();
    if (Number(cases) >= MAX_CASES)
      throw new DomainError('Conflict', {
        code: 'too_many_cases',
        message: `There are already ${MAX_CASES} cases, which is the maximum. Delete one first.`,
      });
    await trx
      .insertInto('judge_cases')
      .values({ id: newId(), check_id: checkId, ...values })
      .onConflict((conflict) => conflict.column('check_id').doUpdateSet(values))
      .execute();
    await writeAudit(trx, { actor, action: 'case.add', subject: checkId, details: answer }, now);
  });
}

/** Lists the cases, newest first. */
export async function listCases(db: Database): Promise<JudgeCase[]> {
  const rows = await db
    .selectFrom('judge_cases')
    .select(['id', 'title', 'page', 'answer', 'note', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(({ id, title, page, answer, note, created_at: createdAt }) => ({
    id,
    title,
    url: storedPage.parse(JSON.parse(page)).requestUrl,
    answer: caseAnswer.parse(JSON.parse(answer)),
    note,
    createdAt,
  }));
}

const inflateBytes = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate);

/** Reads the page of a case, to judge it. Throws `NotFound` (`unknown_case`). */
export async function readCase(
  db: Database,
  id: string,
): Promise<StoredAnswer & { product: ExpectedProduct }> {
  const row = await db
    .selectFrom('judge_cases')
    .select(['page', 'deflated', 'expected'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw unknownCase();
  const { errorMessage, hops, ...facts } = storedPage.parse(JSON.parse(row.page));
  const body = await inflateBytes(row.deflated, { maxOutputLength: 3 * RAW_RESPONSE_LIMIT });
  return {
    answer: {
      ...facts,
      body: body.toString('utf8'),
      decodable: true,
      hops: hops.map((url) => ({ url, status: 302, location: null, headers: {} })),
    },
    errorMessage,
    product: storedExpectation.parse(JSON.parse(row.expected)),
  };
}

/** Deletes a case and writes the audit log. Throws `NotFound` (`unknown_case`). */
export async function removeCase(
  db: Database,
  { id, actor, clock }: { id: string; actor: Actor; clock: Clock },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('judge_cases')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw unknownCase();
    await writeAudit(trx, { actor, action: 'case.remove', subject: id }, clock.now());
  });
}

function unknownCase(): DomainError {
  return new DomainError('NotFound', { code: 'unknown_case', message: 'There is no such case.' });
}
