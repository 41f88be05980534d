import styles from './mode-switch.module.css'

type ModeSwitchProps<Mode extends string> = {
  /** What is chosen here. */
  label: string
  /** In the order of their buttons, with their texts. */
  modes: Readonly<Record<Mode, string>>
  mode: Mode
  onChange: (mode: Mode) => void
}

/** One of two or three ways, all of them to be seen. */
export function ModeSwitch<Mode extends string>({ label, modes, mode, onChange }: ModeSwitchProps<Mode>) {
  // Its own keys.
  const all = Object.entries(modes) as [Mode, string][]
  return (
    <div className={styles.switch} role="radiogroup" aria-label={label}>
      {all.map(([one, text]) => (
        <label key={one} className={`${styles.choice} ${one === mode ? styles.chosen : ''}`}>
          <input
            type="radio"
            name={label}
            className={styles.radio}
            checked={one === mode}
            onChange={() => onChange(one)}
          />
          {text}
        </label>
      ))}
    </div>
  )
}
