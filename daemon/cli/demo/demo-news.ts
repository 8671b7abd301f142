import { DAY, HOUR, type Clock } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import { articleFields } from '#shared/news/article-fields';
import { createArticle } from '#shared/news/save-article.server';
import { listRetailers } from '#shared/settings/read-settings';
import { setRetailers } from '#shared/settings/write-settings';

interface DemoArticle {
  title: string;
  excerpt?: string;
  content: string;
  /** Age of the article when the demo data is written. */
  agoMs: number;
  featured?: boolean;
  draft?: boolean;
}

const RETAILERS = ['Pokémon Center UK', 'Argos', 'Smyths Toys', 'The Entertainer', 'Zavvi'];

const ARTICLES: readonly DemoArticle[] = [
  {
    title: 'Welcome to Packwatch',
    excerpt: 'What this service watches, who gets its alerts, and what it will never do.',
    agoMs: 41 * DAY,
    content: `
<p>Packwatch watches the shop so that you do not have to. It checks the page once a minute, notices when a waiting room opens, and alerts you on Discord and, if you are a Pro member and want it, by email.</p>
<h2>What you can expect</h2>
<ul>
<li><strong>One alert per opening.</strong> While a waiting room stays open we do not repeat ourselves.</li>
<li><strong>An honest “we do not know”.</strong> A page that cannot be read is never reported as a restock.</li>
<li><strong>The same facts for everyone.</strong> Pro members get the alert at once, free members thirty seconds later.</li>
</ul>
<h2>What we leave to you</h2>
<p>An alert is not a purchase. Stock can sell out before you reach the checkout, and a waiting room does not promise that there is any. Decide beforehand what you want and what it may cost.</p>
<p>Packwatch is in beta. Tell us where it is wrong: that is what a beta is for.</p>`,
  },
  {
    title: 'Where to find a card’s number and rarity',
    agoMs: 33 * DAY,
    content: `
<p>Two small marks in a bottom corner say most of what you need to file a card or to look it up: the collector number and the rarity symbol.</p>
<h2>The number</h2>
<p>It is written as <em>number / size of the set</em>. A card marked <code>025/165</code> is the twenty-fifth of a set that counts 165. A number above the set’s size, such as <code>180/165</code>, is no misprint: those are the set’s secret cards.</p>
<h2>The symbol</h2>
<ol>
<li>A circle: common.</li>
<li>A diamond: uncommon.</li>
<li>A star: rare. Newer sets use two or three stars, in silver or gold, for what is rarer still.</li>
</ol>
<p>Write both down when you list a card for a swap. A name alone is often shared by a dozen printings.</p>`,
  },
  {
    title: 'Free or Pro: what thirty seconds mean',
    excerpt:
      'The head start is the whole difference for alerts. Here is when it matters, and when it does not.',
    agoMs: 26 * DAY,
    content: `
<p>The free alert goes out exactly thirty seconds after the instant one. Nothing else about it is different: it has the same text and leads to the same shop.</p>
<p>Does half a minute matter? It depends on how the shop lets people in.</p>
<ul>
<li>Where a waiting room <strong>draws lots</strong> among everyone who came before the sale opened, thirty seconds change little.</li>
<li>Where places are given <strong>in the order of arrival</strong>, thirty seconds can be many places.</li>
<li>When the room closes again within those thirty seconds, the free alert is not sent at all: it would come too late.</li>
</ul>
<p>Start with free. If you often arrive just too late, you will know what Pro is for.</p>`,
  },
  {
    title: 'Sleeve first: the first five minutes of a new card',
    agoMs: 19 * DAY,
    content: `
<p>Most wear happens on the day a pack is opened. Four small habits prevent nearly all of it.</p>
<ol>
<li><strong>Dry, clean hands and a clear table.</strong> Drinks belong on another one.</li>
<li><strong>Hold cards by their edges.</strong> Fingertips leave marks on foil that do not come off.</li>
<li><strong>Soft sleeve, then something stiff.</strong> A rigid holder without a soft sleeve scratches the surface it should protect.</li>
<li><strong>Store upright, dry and dark.</strong> Sunlight fades ink, and damp bends foil cards like spoons.</li>
</ol>
<blockquote>A sleeve costs about a penny. No card has ever become better for having waited for one.</blockquote>
<p>A binder is fine for looking through; choose one whose pockets open to the side, so that cards cannot slide out at the top.</p>`,
  },
  {
    title: 'When the monitor says “unknown”',
    agoMs: 12 * DAY,
    content: `
<p>Every check ends in one of three verdicts: <strong>waiting room</strong>, <strong>shop open</strong> or <strong>unknown</strong>. The third is the one we are asked about most.</p>
<p>“Unknown” means that the page proves neither of the other two. Shops put up maintenance notices, ask whether a visitor is a robot, or answer with half a page. It would be easy to count all that as “shop open”; it would also be a guess.</p>
<h2>What follows from it</h2>
<ul>
<li>An unknown never opens an alert.</li>
<li>An unknown never closes one either: only two checks in a row that find the shop open do.</li>
<li>After five minutes without a clear answer, the people who run this site are notified.</li>
</ul>
<p>So a series of unknowns may mean that we see less than usual. It never means that we made something up.</p>`,
  },
  {
    title: 'Read the news from your own script',
    excerpt: 'Everything on this page is also there as JSON, and as a feed for your reader.',
    agoMs: 8 * DAY,
    content: `
<p>Published articles can be read without an account. The list comes in pages, newest first:</p>
<pre><code>GET /api/news?page=1&amp;limit=20
GET /api/news/{id}</code></pre>
<p>The answer’s <code>data</code> holds <code>articles</code>, <code>page</code>, <code>totalPages</code> and <code>total</code>. A page past the end is an empty list and no error, so a loop may simply stop there.</p>
<p>If you use a feed reader, give it <a href="/news/feed.xml">/news/feed.xml</a>. All calls of the site, with what they take and answer, are described in <a href="/api/openapi.json">/api/openapi.json</a>.</p>
<p><u>Please be gentle</u>: once a minute is often enough for news.</p>`,
  },
  {
    title: 'How a waiting room becomes an alert',
    excerpt: 'From the first sign on the shop’s page to the message on your phone, step by step.',
    agoMs: 3 * DAY,
    featured: true,
    content: `
<p>Between nine in the morning and nine at night, UK time, the monitor asks for the shop’s page about once a minute. This is what happens when something changes.</p>
<h2>1. A sign is seen</h2>
<p>Waiting rooms give themselves away: by the address a visitor is sent to, by cookies, by the words on the page. Each sign has a weight. A <strong>strong</strong> one opens an alert at once. A <strong>weak</strong> one is checked again about ten seconds later, and counts only when it is still there.</p>
<h2>2. The alert is written down</h2>
<p>Before anything is sent it is stored, with the time it is due for each audience. If our server fails at that very moment, the alert is still there when it is back.</p>
<h2>3. It goes out</h2>
<p>Pro members get it at once, free members thirty seconds later. An alert that could not go out within ten minutes is not sent any more.</p>
<h2>4. It ends</h2>
<p>Two checks in a row that find the shop open close the alert. The message you were sent is then edited and says how long the room was open: <em>one message, from beginning to end</em>.</p>`,
  },
  {
    title: 'Six habits for a calm restock morning',
    agoMs: 1 * DAY + 2 * HOUR,
    featured: true,
    content: `
<p>An alert is worth little if the next three minutes go into finding a password. Prepare once, and the rest is waiting.</p>
<h2>The day before</h2>
<ul>
<li>Sign in to the shop and check that your address and card are current.</li>
<li>Decide on a budget and write it down. In a queue everything looks like a bargain.</li>
<li>Let Packwatch through your phone’s “do not disturb”.</li>
</ul>
<h2>When the alert comes</h2>
<ul>
<li>Open the shop in <strong>one</strong> tab. Several tabs often share one place in the line, and some shops send you to its end for reloading.</li>
<li>Leave the waiting room alone. It moves on automatically.</li>
<li>If the basket stays empty, that is that. There will be another restock.</li>
</ul>
<p>And never pay a stranger who says that he has a place in the line to sell. He has not.</p>`,
  },
  {
    title: 'One message from beginning to end',
    agoMs: 4 * HOUR,
    content: `
<p>A waiting room has a beginning and an end, and it is tempting to post a message for each. We post <strong>one</strong>. When the room closes, the message you already have is edited and tells how long it lasted.</p>
<p>So your phone buzzes once, when it matters. And if you open the channel later, you see at a glance whether it is still worth running: <s>run</s> no, it closed after 39 minutes.</p>`,
  },
  {
    title: 'What we would like to build next',
    agoMs: 2 * HOUR,
    draft: true,
    content: `
<p>A draft, for admins only: collect here what members ask for, then publish it with dates we can keep.</p>
<ul>
<li>More shops</li>
<li>Quiet hours for each member</li>
<li>A history of past restocks</li>
</ul>`,
  },
];

/** Adds the demo articles, backdated to look used, and retailers. Returns the ids of the published articles. */
export async function addDemoNews(db: Database, { clock }: { clock: Clock }): Promise<string[]> {
  const published: string[] = [];
  const actor = { userId: null };
  const now = clock.now();
  for (const { title, excerpt, content, agoMs, featured = false, draft = false } of ARTICLES) {
    const fields = articleFields.parse({ title, excerpt, content, featured, published: !draft });
    const then: Clock = { now: () => now - agoMs };
    const { id } = await createArticle(db, { fields, author: { id: null, username: null }, clock: then });
    if (!draft) published.push(id);
  }
  // Keep retailers that an admin has entered.
  if ((await listRetailers(db)).length === 0) await setRetailers(db, { retailers: RETAILERS, actor, clock });
  return published;
}
