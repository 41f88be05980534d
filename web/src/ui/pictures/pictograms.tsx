/** Small line pictures for tiles on pages that carry no icon package. Drawn on a 32 grid, coloured by the text around. */
import type { ReactNode } from 'react'

export const ProjectIcon = () => (
  <Line>
    <path d="M5 9.5a2.5 2.5 0 0 1 2.5-2.5h5l3 3.5h9a2.5 2.5 0 0 1 2.5 2.5v10a2.5 2.5 0 0 1-2.5 2.5h-17a2.5 2.5 0 0 1-2.5-2.5z" />
    <path d="M11 18.5h10M16 13.5v10" />
  </Line>
)

export const SearchIcon = () => (
  <Line>
    <circle cx="14" cy="14" r="8" />
    <path d="m20 20 6.5 6.5" />
  </Line>
)

export const MailIcon = () => (
  <Line>
    <rect x="4.5" y="7.5" width="23" height="17" rx="2.5" />
    <path d="m5.5 9.5 10.5 8.5 10.5-8.5" />
  </Line>
)

export const AdminIcon = () => (
  <Line>
    <path d="M16 4.5 26 8v7.5c0 6-4.2 10-10 12-5.8-2-10-6-10-12V8z" />
    <path d="m11.5 15.5 3.2 3.2 5.8-6" />
  </Line>
)

export const CloudIcon = () => (
  <Line>
    <path d="M9.5 24.5a5.5 5.5 0 0 1-.6-10.97 7.5 7.5 0 0 1 14.4 1.6A4.8 4.8 0 0 1 22.8 24.5z" />
    <path d="M16 22v-7m-3 2.8 3-3 3 3" />
  </Line>
)

export const SocialIcon = () => (
  <Line>
    <path d="M7 6.5h12a2.5 2.5 0 0 1 2.5 2.5v6a2.5 2.5 0 0 1-2.5 2.5h-6l-4.5 4v-4H7A2.5 2.5 0 0 1 4.5 15V9A2.5 2.5 0 0 1 7 6.5z" />
    <path d="M25 12.5a2.5 2.5 0 0 1 2.5 2.5v5.5A2.5 2.5 0 0 1 25 23h-.5v3.5L20.5 23h-5" />
  </Line>
)

export const RunIcon = () => (
  <Line>
    <circle cx="7.5" cy="9" r="2.5" />
    <circle cx="7.5" cy="23" r="2.5" />
    <circle cx="16" cy="16" r="2.5" />
    <circle cx="24.5" cy="9" r="2.5" />
    <circle cx="24.5" cy="23" r="2.5" />
    <path d="m9.5 10.7 4.5 3.6m-4.5 7 4.5-3.6m4-3.4 4.5-3.6m-4.5 7 4.5 3.6" />
  </Line>
)

export const NetworkIcon = () => (
  <Line>
    <path d="M10 4.5h12v6H10zM4.5 13h10v6h-10zM10 21.5h12v6H10zM12.5 10.5V13m0 6v2.5m7-11v11" />
  </Line>
)

export const SortIcon = () => (
  <Line>
    <rect x="5" y="6" width="9" height="9" rx="2" />
    <rect x="18" y="6" width="9" height="9" rx="2" />
    <path d="M5 20h9m-9 5h6M18 20h9m-9 5h6" />
    <path d="m7.5 10.6 1.6 1.6 2.6-3M20.5 8.5l4 4m0-4-4 4" />
  </Line>
)

export const OutlineIcon = () => (
  <Line>
    <rect x="4.5" y="5.5" width="23" height="21" rx="3" />
    <path d="M10 19c-2-4 1-9 6-9 4.5 0 7.5 3 6.5 7-.8 3.5-4 3-6 4.5s-5 1.5-6.5-2.5Z" strokeDasharray="3 3" />
    <circle cx="15.5" cy="15.5" r="2" />
  </Line>
)

export const LockIcon = () => (
  <Line>
    <rect x="7" y="14" width="18" height="13" rx="3" />
    <path d="M11 14v-3.5a5 5 0 0 1 10 0V14M16 19v3" />
  </Line>
)

export const TouchIcon = () => (
  <Line>
    <path d="M13 19V8.5a2 2 0 0 1 4 0V15l5.5 1.3a2.8 2.8 0 0 1 2.1 3.1l-.5 3.6a4.5 4.5 0 0 1-4.5 4h-3.4a4.5 4.5 0 0 1-3.7-2L8.6 19.2a1.8 1.8 0 0 1 2.8-2.2z" />
    <path d="M9.5 10.5a6 6 0 1 1 11 0" />
  </Line>
)

export const FlaskIcon = () => (
  <Line>
    <path d="M6 26h20M9 26V15m7 11V7m7 19V18" />
    <path d="m7 11 4-4m7-1 6 8" strokeDasharray="2 3" />
  </Line>
)

function Line({ children }: { children: ReactNode }) {
  return (
    <svg
      width="32"
      height="32"
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

export const HomeIcon = () => (
  <Line>
    <path d="M5 15 16 5.5 27 15M8 12.5v14h16v-14M13 26.5v-8h6v8" />
  </Line>
)

export const MenuIcon = () => (
  <Line>
    <path d="M5 9h22M5 16h22M5 23h22" />
  </Line>
)
