/** The sign of Gatehouse, as public/gatehouse.svg has it: one request less than an image. */
export const Logo = ({ size }: { size: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden>
    <path fill="#1864ab" d="M4 29V10l5-4v3h4V6l3-3 3 3v3h4V6l5 4v19h-8v-7a4 4 0 0 0-8 0v7z" />
  </svg>
);
