/** The notes of a release, from their sanitised HTML. Their headings are below `h2`. */
export function ReleaseNotes({ html }: { html: string }) {
  return (
    <div
      className="article-body text-base [overflow-wrap:anywhere]"
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
