import type { Database } from '#shared/database/schema';
import { toMainUnit } from '#shared/money';
import { productOf } from '#shared/monitor/checks/recording/decide-offer';
import { listCases, readCase, type CaseAnswer } from '#shared/monitor/products/judge-cases.server';
import { judgeOutcome } from '../../judging/judge-outcome';
import { formatTable, type CommandOutput } from '../terminal';

interface Said {
  availability: CaseAnswer['availability'];
  /** In the main unit of the currency. */
  price: number | null;
}

const textOf = ({ availability, price }: Said): string =>
  price === null ? availability : `${availability}, ${price.toFixed(2)}`;

const isRight = (answer: CaseAnswer, said: Said): boolean =>
  answer.availability === said.availability && (answer.price === null || answer.price === said.price);

/** `judge --cases`: judges the stored page of every case and says which are right. Fails when one is not. */
export async function judgeCases(db: Database): Promise<CommandOutput> {
  const cases = [];
  for (const { id, title, url, answer, note } of await listCases(db)) {
    const product = productOf(judgeOutcome(await readCase(db, id)));
    const price = product.price === null ? null : toMainUnit(product.price).amount;
    const said: Said = { availability: product.availability, price };
    cases.push({ id, title, url, note, answer, said, reason: product.reason, right: isRight(answer, said) });
  }
  const right = cases.filter((one) => one.right).length;
  const rows = cases.map(({ title, answer, said, right: isSo, reason }) => [
    isSo ? 'right' : 'WRONG',
    title,
    textOf(answer),
    textOf(said),
    reason,
  ]);
  const message = cases.length === 0 ? 'There are no cases.' : `${right} of ${cases.length} are right.`;
  return {
    lines: [
      ...(rows.length === 0 ? [] : [formatTable([['', 'watch', 'should be', 'is', 'reason'], ...rows]), '']),
      message,
    ],
    json: {
      success: right === cases.length,
      ...(right === cases.length ? {} : { code: 'wrong_cases', message }),
      cases,
    },
    failed: right < cases.length,
  };
}
