import type { Kysely } from 'kysely';
import type { Actor } from '../audit/write-audit';
import type { Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { HeroSlides } from './hero-slides';
import { readHeroSlides } from './read-settings';
import { setHeroSlides } from './write-settings';

/** Switches some of the hero's slides and leaves the others as they are now. Returns all of them. */
export function changeHeroSlides(
  db: Kysely<Schema>,
  { changes, actor, clock }: { changes: Partial<HeroSlides>; actor: Actor; clock: Clock },
): Promise<HeroSlides> {
  return inTransaction(db, async (trx) => {
    const config = await readHeroSlides(trx);
    const changed = { ...config, ...changes };
    const same = (Object.keys(config) as (keyof HeroSlides)[]).every(
      (slide) => config[slide] === changed[slide],
    );
    return same ? config : setHeroSlides(trx, { config: changed, actor, clock });
  });
}
