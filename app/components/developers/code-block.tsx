/** An example. Scripts show its copy button (`useCopyButtons`). */
export function CodeBlock({ text, language }: { text: string; language: string }) {
  return (
    <div className="code-block">
      <pre>
        <code>{text}</code>
      </pre>
      <button type="button" data-copy="" hidden aria-label={`Copy the ${language} example`}>
        Copy
      </button>
    </div>
  );
}
