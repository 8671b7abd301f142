/** The placeholder: two face-down cards. */
export function Placeholder() {
  return (
    <svg
      viewBox="0 0 160 120"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      aria-hidden="true"
      className="absolute inset-0 size-full text-line"
    >
      <rect x="63" y="24" width="50" height="70" rx="6" transform="rotate(11 88 59)" />
      <g transform="rotate(-5 75 60)">
        <rect x="50" y="25" width="50" height="70" rx="6" className="fill-sunken" />
        <rect x="56" y="31" width="38" height="58" rx="3.5" strokeWidth="1.5" />
        <circle cx="75" cy="60" r="11" strokeWidth="1.5" />
        <circle cx="75" cy="60" r="4" fill="currentColor" stroke="none" />
      </g>
    </svg>
  );
}
