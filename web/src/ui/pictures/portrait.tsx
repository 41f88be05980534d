/** Small pictures of people by occupation and sex, put together from shared parts on a 64 grid. Chooses nothing. */
import { type ReactNode, useId } from 'react'
import styles from './avatar.module.css'
import type { PortraitName } from './portrait-names.ts'

export function Portrait({ name, size }: { name: PortraitName; size: number }) {
  const clip = useId()
  const [occupation = 'other', sex = 'male'] = name.split('-')
  const { ground, clothes, before = null, above = null } = looks[occupation] ?? other
  return (
    <svg
      className={styles.portrait}
      width={size}
      height={size}
      viewBox="0 0 64 64"
      aria-hidden="true"
      focusable="false"
      data-portrait={name}
    >
      <clipPath id={clip}>
        <circle cx="32" cy="32" r="32" />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        <rect width="64" height="64" fill={ground} />
        {occupation === 'other' ? (
          <Silhouette />
        ) : (
          <>
            {sex === 'female' && <path d={hair.long} fill={hairColour} />}
            <path d="M27 36h10v9a5 5 0 0 1-10 0z" fill={skinShade} />
            {clothes}
            <ellipse cx="32" cy="28" rx="10.5" ry="12" fill={skin} />
            <Face />
            <path d={sex === 'female' ? hair.fringe : hair.short} fill={hairColour} />
            {before}
            {above}
          </>
        )}
      </g>
    </svg>
  )
}

type Look = { ground: string; clothes: ReactNode; before?: ReactNode; above?: ReactNode }

const skin = '#f1c9a9'
const skinShade = '#dfae8b'
const hairColour = '#3b2a2a'
const ink = 'var(--nl-ink)'
const white = '#ffffff'

const hair = {
  long: 'M32 12c-10 0-15 7-15 16 0 8-1 14-3 19h36c-2-5-3-11-3-19 0-9-5-16-15-16z',
  fringe: 'M20.5 29c0-10 5-15.5 11.5-15.5S43.5 19 43.5 29c-2-5-5-8-7.5-9-3 4-9 6-15.5 9z',
  short:
    'M20.5 27c-1.5-9 4-14.5 11.5-14.5S45 18 43.5 27c-1-3-2-5-3.5-6.5-5 1.5-11 1.5-16 0-1.5 1.5-2.5 3.5-3.5 6.5z',
}

function Face() {
  return (
    <g fill="none" stroke={ink} strokeWidth="1.4" strokeLinecap="round">
      <path d="M28 28.5v.6M36 28.5v.6" strokeWidth="2" />
      <path d="M29 34c1.8 1.6 4.2 1.6 6 0" />
    </g>
  )
}

function Silhouette() {
  return (
    <g fill="var(--nl-primary-bright)">
      <circle cx="32" cy="26" r="11" />
      <path d="M10 64c0-14 9-22 22-22s22 8 22 22z" />
    </g>
  )
}

const shoulders = 'M8 66c0-15 10-23 24-23s24 8 24 23z'

/** An open coat over something of another colour. */
const coat = (under: string): ReactNode => (
  <>
    <path d={shoulders} fill={white} />
    <path d="M25 43.5 32 56l7-12.5a20 20 0 0 0-14 0z" fill={under} />
    <path d="M25 43.5 32 56l7-12.5M32 56v10" fill="none" stroke="var(--nl-primary-line)" strokeWidth="1.6" />
  </>
)

const other: Look = { ground: 'var(--nl-primary-soft)', clothes: null }

const looks: Record<string, Look> = {
  doctor: {
    ground: 'var(--nl-primary-line)',
    clothes: coat('var(--nl-primary-bright)'),
    before: (
      <g fill="none" stroke="var(--nl-primary-strong)" strokeWidth="1.8" strokeLinecap="round">
        <path d="M23 44c-1 6 1 9 3 11m15-11c1 5 0 7-1 9" />
        <circle cx="39.5" cy="56" r="3" fill="var(--nl-primary-soft)" />
      </g>
    ),
  },
  nurse: {
    ground: 'var(--nl-accent-soft)',
    clothes: (
      <>
        <path d={shoulders} fill="var(--nl-primary-bright)" />
        <path d="M26 43.3 32 52l6-8.7" fill={skinShade} stroke="var(--nl-primary-strong)" strokeWidth="1.6" />
      </>
    ),
    above: (
      <>
        <path d="M20 19c1-7 5-11 12-11s11 4 12 11c-7-3-17-3-24 0z" fill={white} />
        <path d="M32 10.5v5m-2.5-2.5h5" stroke="var(--nl-accent)" strokeWidth="2" strokeLinecap="round" />
      </>
    ),
  },
  scientist: {
    ground: 'var(--nl-success-soft)',
    clothes: coat('var(--nl-accent)'),
    before: (
      <g fill="none" stroke={ink} strokeWidth="1.5">
        <circle cx="27.5" cy="28.5" r="3.8" />
        <circle cx="36.5" cy="28.5" r="3.8" />
        <path d="M31.3 28.5h1.4" />
      </g>
    ),
    above: (
      <g transform="translate(-5 -3)">
        <path d="M44 52h7l-1.5 1v4l4 7h-12l4-7v-4z" fill="var(--nl-primary-line)" />
        <path d="m43.5 60.5-2 3.5h12l-2-3.5z" fill="var(--nl-success)" />
      </g>
    ),
  },
  engineer: {
    ground: 'var(--nl-warning-soft)',
    clothes: (
      <>
        <path d={shoulders} fill="var(--nl-primary-strong)" />
        <path d="M18 46v20h6V44.5zm28 0v20h-6V44.5z" fill="#f2b64a" />
      </>
    ),
    above: (
      <>
        <path d="M19 20c0-8 5-13 13-13s13 5 13 13z" fill="#f2b64a" />
        <path d="M16 21.5c0-1.5 1-2.3 2.5-2.300h27c1.5 0 2.5.8 2.5 2.300z" fill="#d99624" />
        <path d="M29.5 7.300h5V15h-5z" fill="#d99624" />
      </>
    ),
  },
  student: {
    ground: '#e6e4f6',
    clothes: (
      <>
        <path d={shoulders} fill="var(--nl-accent)" />
        <path d="M24 43.800c2 5 5 7 8 7s6-2 8-7l-3-.6a6 6 0 0 1-10 0z" fill="#c45a3b" />
      </>
    ),
    above: (
      <>
        <path d="M22 15v5c6-2.5 14-2.5 20 0v-5z" fill="var(--nl-primary-strong)" />
        <path d="M32 5 13 13l19 8 19-8z" fill="var(--nl-primary)" />
        <path d="M48 14.200V23" stroke="#f2b64a" strokeWidth="1.8" strokeLinecap="round" />
        <circle cx="48" cy="24.5" r="2" fill="#f2b64a" />
      </>
    ),
  },
}
