import { describe, expect, test } from 'vitest';
import { loadDetectionCases } from '../../fixtures/detection/load-case';
import { judgePage } from '../../../daemon/waiting-room/judge-page';

describe('the recorded answers', () => {
  for (const { id, why, verdict, unknownReason, direct, throughScrappey } of loadDetectionCases()) {
    for (const [way, answer] of [
      ['fetched directly', direct],
      ['through Scrappey', throughScrappey],
    ] as const) {
      if (answer === null) continue;
      test(`${id}, ${way}: ${why}`, () => {
        const judgement = judgePage(answer);
        expect(judgement.verdict, JSON.stringify(judgement, null, 1)).toBe(verdict);
        if (unknownReason !== undefined) expect(judgement.unknownReason).toBe(unknownReason);
      });
    }
  }
});
