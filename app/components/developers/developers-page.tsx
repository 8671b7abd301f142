import { PRODUCT_NAME } from '#shared/brand';
import { FAILURES_ANCHOR, RECORDS_ANCHOR } from './anchors';
import { PageNav } from '~/components/page/page-nav';
import { SiteFooter } from '~/components/page/site-footer';
import { StaticHtml } from '~/components/site/static-html';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { SECOND } from '#shared/clock';
import { copyText } from '~/components/ui/copy-text';
import { useRealHeights } from './use-real-heights';

const SHOWN_MS = 3 * SECOND;

/** Handles the copy buttons in HTML from the server. `outcome`: of the last press, for a live region; empty after 3 s. */
function useCopyButtons<Container extends HTMLElement>(): {
  container: RefObject<Container>;
  outcome: string;
} {
  const container = useRef<Container>(null);
  const [outcome, setOutcome] = useState('');

  useEffect(() => {
    const element = container.current;
    // Without a secure context there is no clipboard.
    if (element === null || navigator.clipboard === undefined) return;
    element.dataset.copies = '';
    const copy = (event: MouseEvent) => {
      const button = (event.target as Element).closest('[data-copy]');
      if (button === null) return;
      const text = button.parentElement?.querySelector('code')?.textContent ?? '';
      void copyText(text).then((copied) =>
        setOutcome(copied ? 'Copied.' : 'The browser did not allow copying. Select the text instead.'),
      );
    };
    element.addEventListener('click', copy);
    return () => element.removeEventListener('click', copy);
  }, []);

  useEffect(() => {
    if (outcome === '') return;
    const timer = setTimeout(() => setOutcome(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  return { container, outcome };
}

const DOCUMENT_PATH = '/api/openapi.json';
const REFERENCE_ANCHOR = 'reference';
const SHARED = [FAILURES_ANCHOR, RECORDS_ANCHOR].map((anchor) => ({ anchor, name: anchor }));
const TEXT_CLASS = 'article-body article-page developer-text';

/** A link of the table of contents. */
interface ContentsLink {
  anchor: string;
  name: string;
}

/** The page for developers: HTML of the guide and of the reference, both made from our texts, with a table of contents. */
export interface DevelopersText {
  /** Null: the document has it; see `StaticHtml`. */
  html: Record<'guide' | 'reference', string> | null;
  sections: ContentsLink[];
  groups: ContentsLink[];
}

function ContentsList({ title, links }: { title: string; links: readonly ContentsLink[] }) {
  return (
    <div>
      <p className="text-small font-semibold text-soft">{title}</p>
      <ul>
        {links.map(({ anchor, name }) => (
          <li key={anchor}>
            <a href={`#${anchor}`} className="inline-block py-1 underline-offset-4 hover:underline">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The guide and the reference of the API. */
export function DevelopersPage({ text }: { text: DevelopersText }) {
  const { container, outcome } = useCopyButtons<HTMLDivElement>();
  useRealHeights(container);
  return (
    <>
      <PageNav />
      <main
        id="content"
        tabIndex={-1}
        className="wrap grid gap-x-12 gap-y-8 py-10 outline-none lg:grid-cols-[13rem_minmax(0,1fr)]"
      >
        <header className="lg:col-span-full">
          <h1 className="text-heading">For developers</h1>
          <p className="mt-4 max-w-[40em] text-lead text-soft">
            Build on {PRODUCT_NAME}: a guide in one sitting, then every call. The same for programs:{' '}
            <a href={DOCUMENT_PATH} className="text-brand underline underline-offset-4">
              openapi.json
            </a>
          </p>
        </header>
        <nav
          aria-label="On this page"
          className="grid grid-cols-2 gap-6 self-start lg:sticky lg:top-24 lg:max-h-[calc(100dvh-7rem)] lg:grid-cols-1 lg:overflow-y-auto"
        >
          <ContentsList title="Guide" links={text.sections} />
          <ContentsList title="Reference" links={[...text.groups, ...SHARED]} />
        </nav>
        <div ref={container} className="min-w-0">
          <StaticHtml name="guide" html={text.html?.guide ?? null} className={TEXT_CLASS} />
          <h2 id={REFERENCE_ANCHOR} className="mt-14 border-t border-line pt-10 text-title">
            Reference
          </h2>
          <StaticHtml name="reference" html={text.html?.reference ?? null} className={TEXT_CLASS} />
        </div>
        <p
          role="status"
          className={`fixed inset-x-0 bottom-4 z-20 mx-auto w-fit rounded-control px-4 py-2 ${outcome === '' ? '' : 'border border-line bg-surface shadow-card'}`}
        >
          {outcome}
        </p>
      </main>
      <SiteFooter />
    </>
  );
}
