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

/** Warp threads stand, one weft thread weaves between them; where they meet, a neuron fires. */
function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" fill="none" aria-hidden="true" focusable="false">
      <rect width="40" height="40" rx="11" fill="var(--nl-primary)" />
      <path
        d="M12 8v24M20 8v24M28 8v24"
        stroke="var(--nl-on-primary)"
        strokeOpacity="0.45"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <path
        d="M5.5 20c3.5 0 3-6 6.5-6s4.5 12 8 12 4.5-12 8-12 3 6 6.5 6"
        stroke="var(--nl-on-primary)"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
      <circle
        cx="12"
        cy="14"
        r="3.6"
        fill="var(--nl-on-primary)"
        stroke="var(--nl-primary)"
        strokeWidth="1.6"
      />
      <circle
        cx="28"
        cy="14"
        r="3.6"
        fill="var(--nl-on-primary)"
        stroke="var(--nl-primary)"
        strokeWidth="1.6"
      />
      <circle cx="20" cy="26" r="4" fill="var(--nl-accent)" stroke="var(--nl-primary)" strokeWidth="1.6" />
    </svg>
  )
}
