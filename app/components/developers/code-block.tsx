/** An example, with its language. Scripts show its copy button (`useCopyButtons`). */
export function CodeBlock({ text, language }: { text: string; language: string }) {
  return (
    <div className="code-block">
      <p>{language}</p>
      <button type="button" data-copy="">
        Copy
      </button>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}
