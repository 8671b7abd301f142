import { systemClock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { createArticle } from '#shared/news/save-article.server';

const ARTICLES = 60;

const PARAGRAPH =
  'Collectors who were in line when the room opened were through in eleven minutes; those who came when the ' +
  'free channel spoke waited for forty. The page said nothing of either. <strong>What helps is to be early</strong>, ' +
  'and to have <a href="https://example.com/address-book">the address saved</a> before the day.';

function content(paragraphs: number): string {
  const parts = Array.from({ length: paragraphs }, (_, index) =>
    index % 4 === 0
      ? `<h2>Part ${index / 4 + 1}</h2><p>${PARAGRAPH}</p>`
      : `<p>${PARAGRAPH} ${PARAGRAPH}</p>`,
  );
  return `${parts.join('')}<ul><li>Be early</li><li>Be patient</li></ul>`;
}

/** Publishes sixty articles of about two screens each. Returns the id of the newest. */
export async function seedNews(db: Database): Promise<string> {
  let newest = '';
  for (let index = 0; index < ARTICLES; index += 1) {
    const { id } = await createArticle(db, {
      fields: {
        title: `What the ${index + 1}th waiting room of the year was like`,
        content: content(8),
        excerpt: index % 2 === 0 ? 'Forty minutes, one box each, and nobody who was early went without.' : '',
        published: true,
        featured: index % 10 === 0,
      },
      author: { id: null, username: 'Robin' },
      clock: systemClock,
    });
    newest = id;
  }
  return newest;
}
