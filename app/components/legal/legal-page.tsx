import { LongDate } from '~/components/time/dates';
import { PageNav } from '~/components/page/page-nav';
import { SiteFooter } from '~/components/page/site-footer';
import type { LegalText } from './legal-content';

/** The layout of the privacy page and the terms. */
export function LegalPage({ text }: { text: LegalText }) {
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap py-10 outline-none">
        <div className="max-w-[44rem]">
          <h1 className="text-heading">{text.title}</h1>
          <p className="mt-2 text-small text-soft">
            Last changed on <LongDate iso={text.changed} />
          </p>
          <p className="mt-5 text-lead text-soft">{text.intro}</p>
          {text.sections.map(({ title, parts }) => (
            <section key={title} className="mt-9">
              <h2 className="text-title">{title}</h2>
              {parts.map((part, index) =>
                typeof part === 'string' ? (
                  <p key={index} className="mt-3">
                    {part}
                  </p>
                ) : (
                  <ul key={index} className="mt-3 grid list-disc gap-1.5 pl-5 marker:text-soft">
                    {part.map((item) => (
                      <li key={item}>{item}</li>
                    ))}
                  </ul>
                ),
              )}
            </section>
          ))}
        </div>
      </main>
      <SiteFooter />
    </>
  );
}
