/** The picture of what the product does: images go in, threads weave through a network, answers come out. Decoration. */
import styles from './weave.module.css'

const rows = [70, 190, 310] as const
const warp = [236, 286, 336] as const

export function Weave({ answers }: { answers: readonly [string, string, string] }) {
  return (
    <svg className={styles.weave} viewBox="0 0 600 380" fill="none" aria-hidden="true" focusable="false">
      <g className={styles.warp}>
        {warp.map((x) => (
          <path key={x} d={`M${x} 14v352`} />
        ))}
      </g>
      <g className={styles.weft}>
        {rows.map((y, index) => (
          <path key={y} d={threads[index]} />
        ))}
      </g>
      <g className={styles.pulse}>
        {rows.map((y, index) => (
          <path key={y} d={threads[index]} style={{ animationDelay: `${index * -2.4}s` }} />
        ))}
      </g>
      {neurons.map(([x, y, isFiring]) => (
        <circle
          key={`${x} ${y}`}
          className={isFiring ? styles.firing : styles.neuron}
          cx={x}
          cy={y}
          r={isFiring ? 9 : 6.5}
        />
      ))}
      <ChestPicture y={rows[0]} />
      <HeadPicture y={rows[1]} />
      <CellsPicture y={rows[2]} />
      {rows.map((y, index) => (
        <Answer key={y} y={y} text={answers[index] ?? ''} share={shares[index] ?? 0} />
      ))}
    </svg>
  )
}

const threads = [
  'M118 70C170 70 190 70 236 118S300 210 336 176 400 70 452 70',
  'M118 190C180 190 190 262 236 262S292 70 336 70 400 190 452 190',
  'M118 310C180 310 190 176 236 176S292 318 336 318 400 310 452 310',
] as const

const neurons: readonly (readonly [number, number, boolean])[] = [
  [236, 118, false],
  [236, 176, false],
  [236, 262, true],
  [286, 166, true],
  [286, 252, false],
  [336, 70, false],
  [336, 176, true],
  [336, 318, false],
]

const shares = [0.94, 0.88, 0.91] as const

function Answer({ y, text, share }: { y: number; text: string; share: number }) {
  return (
    <g transform={`translate(452 ${y - 27})`}>
      <rect className={styles.card} width="140" height="54" rx="12" />
      <text className={styles.label} x="16" y="24">
        {text}
      </text>
      <rect className={styles.trackBar} x="16" y="34" width="108" height="6" rx="3" />
      <rect className={styles.bar} x="16" y="34" width={108 * share} height="6" rx="3" />
    </g>
  )
}

function ChestPicture({ y }: { y: number }) {
  return (
    <g transform={`translate(8 ${y - 55})`}>
      <rect className={styles.film} width="110" height="110" rx="14" />
      <g fill="#dcebef" opacity="0.9">
        <path d="M48 28c-14 2-24 22-25 46 0 10 4 13 12 12 9-1 14-4 14-14V30c0-2 0-2-1-2Z" opacity="0.35" />
        <path d="M62 28c14 2 24 22 25 46 0 10-4 13-12 12-9-1-14-4-14-14V30c0-2 0-2 1-2Z" opacity="0.35" />
        <rect x="52" y="18" width="6" height="74" rx="3" opacity="0.55" />
      </g>
      <g stroke="#dcebef" strokeWidth="2.5" strokeLinecap="round" opacity="0.4">
        <path d="M26 44c8-5 16-7 23-7M24 58c9-5 17-7 25-7M24 72c9-4 17-6 25-6" />
        <path d="M84 44c-8-5-16-7-23-7M86 58c-9-5-17-7-25-7M86 72c-9-4-17-6-25-6" />
      </g>
    </g>
  )
}

function HeadPicture({ y }: { y: number }) {
  return (
    <g transform={`translate(8 ${y - 55})`}>
      <rect className={styles.film} width="110" height="110" rx="14" />
      <ellipse cx="55" cy="55" rx="33" ry="40" stroke="#eef6f8" strokeWidth="4" opacity="0.9" />
      <ellipse cx="55" cy="55" rx="28" ry="35" fill="#9fc1cb" opacity="0.45" />
      <path d="M55 22v66" stroke="#dcebef" strokeWidth="1.5" opacity="0.5" />
      <path
        d="M50 46c-8-2-12 3-10 11 1 6 7 8 10 2M60 46c8-2 12 3 10 11-1 6-7 8-10 2"
        fill="#0b2b35"
        opacity="0.6"
      />
    </g>
  )
}

function CellsPicture({ y }: { y: number }) {
  return (
    <g transform={`translate(8 ${y - 55})`}>
      <rect className={styles.film} width="110" height="110" rx="14" />
      <g className={styles.cells}>
        <ellipse cx="32" cy="34" rx="14" ry="11" transform="rotate(-20 32 34)" />
        <ellipse cx="72" cy="28" rx="11" ry="9" />
        <ellipse cx="84" cy="60" rx="13" ry="10" transform="rotate(30 84 60)" />
        <ellipse cx="50" cy="64" rx="12" ry="10" />
        <ellipse cx="26" cy="82" rx="10" ry="8" />
        <ellipse cx="66" cy="90" rx="13" ry="9" transform="rotate(-14 66 90)" />
      </g>
    </g>
  )
}
