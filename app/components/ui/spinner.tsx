/** Something is under way; the words beside it say what. */
export function Spinner() {
  return (
    <svg
      viewBox="0 0 20 20"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      aria-hidden="true"
      data-spinner
      className="shrink-0 animate-spin"
    >
      <circle cx="10" cy="10" r="7.5" opacity="0.3" />
      <path d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5" />
    </svg>
  );
}
