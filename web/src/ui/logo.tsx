/** The product's mark: threads of a loom crossing at neurons. Drawn, never loaded. */
import styles from './logo.module.css'

export function Logo({ size = 32, wordmark = true }: { size?: number; wordmark?: boolean }) {
  return (
    <span className={styles.logo}>
      <Mark size={size} />
      {wordmark && <span className={styles.word}>Neuroloom</span>}
    </span>
  )
}

/** Warp threads stand, one weft thread weaves over and under; where they meet, a neuron fires. */
function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" fill="none" aria-hidden="true" focusable="false">
      <rect width="40" height="40" rx="11" fill="var(--nl-primary)" />
      <g stroke="#fff" strokeOpacity="0.5" strokeWidth="2" strokeLinecap="round">
        <path d="M12 8.5v23M20 8.5v23M28 8.5v23" />
      </g>
      <g stroke="#fff" strokeWidth="2.2" strokeLinecap="round">
        <path d="M7.5 27C10 27 10 27 12 27c4.5 0 3.5-14 8-14s3.5 14 8 14c2 0 2 0 4.5 0" />
      </g>
      <circle cx="12" cy="27" r="3.1" fill="#fff" />
      <circle cx="28" cy="27" r="3.1" fill="#fff" />
      <circle cx="20" cy="13" r="3.7" fill="var(--nl-accent)" stroke="var(--nl-primary)" strokeWidth="1.4" />
    </svg>
  )
}
