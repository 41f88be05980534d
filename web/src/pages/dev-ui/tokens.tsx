import { Panel } from '../../ui/page.tsx'
import { colours, motion, shadows, sizes, type } from '../../ui/tokens.ts'
import styles from './dev-ui.module.css'

const names = <T extends object>(values: T): string[] => Object.keys(values)
const sized = (start: RegExp): string[] => names(sizes).filter((name) => start.test(name))

export function Tokens() {
  return (
    <Panel title="tokens.ts">
      <div className={styles.states}>
        <ul className={styles.swatches}>
          {names(colours).map((name) => (
            <li key={name}>
              <span className={styles.swatch} style={{ background: `var(--nl-${name})` }} />
              {name}
            </li>
          ))}
        </ul>
        <div className={styles.wide}>
          {sized(/^(text|title|display)/).map((name) => (
            <p key={name} className={styles.line} style={{ fontSize: `var(--nl-${name})` }}>
              <code>{name}</code>
              <span>Dice 0.91 · Снимок · 图像</span>
            </p>
          ))}
          {(['medium', 'strong', 'heavy'] as const).map((name) => (
            <p key={name} className={styles.line} style={{ fontWeight: `var(--nl-${name})` }}>
              <code>
                {name} {type[name]}
              </code>
              <span>Dice 0.91 · Снимок · 图像</span>
            </p>
          ))}
        </div>
        <div className={styles.half}>
          {sized(/^gap/).map((name) => (
            <p key={name} className={styles.line}>
              <code>{name}</code>
              <span className={styles.gap} style={{ width: `var(--nl-${name})` }} />
            </p>
          ))}
          {Object.entries(motion).map(([name, value]) => (
            <p key={name} className={styles.line}>
              <code>{name}</code>
              <span>{value}</span>
            </p>
          ))}
        </div>
        {sized(/^radius/).map((name) => (
          <div key={name} className={styles.raised} style={{ borderRadius: `var(--nl-${name})` }}>
            {name}
          </div>
        ))}
        {names(shadows).map((name) => (
          <div key={name} className={styles.raised} style={{ boxShadow: `var(--nl-${name})` }}>
            {name}
          </div>
        ))}
      </div>
    </Panel>
  )
}
