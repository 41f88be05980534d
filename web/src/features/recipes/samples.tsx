import type { Tried } from '@neuroloom/contract/recipes/recipes'
import { useTranslation } from 'react-i18next'
import { ReasonText } from './reason.tsx'
import styles from './recipes.module.css'

type Shown = NonNullable<Tried['samples'][number]['before']>

/** Images before and after, side by side on a dark stage. */
export function Samples({ samples, isOld }: { samples: Tried['samples']; isOld: boolean }) {
  const { t } = useTranslation('recipes')
  return (
    <ul
      className={styles.samples}
      aria-label={t('samples.label')}
      aria-busy={isOld}
      data-old={isOld || undefined}
    >
      {samples.map(({ name, isMask, before, after, reason }) => (
        <li key={name} className={styles.sample}>
          <div className={styles.pair}>
            {before && <Frame shown={before} label={t('samples.before', { name })} />}
            {reason ? (
              <p className={styles.refused}>
                <ReasonText reason={reason} />
              </p>
            ) : (
              <div className={styles.after} data-several={after.length > 1 || undefined}>
                {after.map((one, index) => (
                  <Frame
                    // biome-ignore lint/suspicious/noArrayIndexKey: tiles in their order
                    key={index}
                    shown={one}
                    label={t('samples.after', { name })}
                  />
                ))}
              </div>
            )}
          </div>
          <p className={styles.sampleName} title={name}>
            {name.slice(name.lastIndexOf('/') + 1)}
            {isMask && <span className={styles.tag}>{t('samples.mask')}</span>}
          </p>
          <p className={styles.sizes}>
            {before && sizeOf(before)}
            {before && after[0] && ` → ${sizeOf(after[0])}`}
          </p>
        </li>
      ))}
    </ul>
  )
}

function Frame({ shown, label }: { shown: Shown; label: string }) {
  return <img src={shown.image} alt={label} />
}

const sizeOf = ({ width, height, depth, bits }: Shown): string =>
  `${width} × ${height}${depth === null ? '' : ` × ${depth}`}${bits === 8 ? '' : `, ${bits} bit`}`
