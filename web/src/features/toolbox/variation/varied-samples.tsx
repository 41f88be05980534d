import type { Answer } from '@neuroloom/contract/calls'
import { markColours } from '@neuroloom/contract/toolbox/changes'
import { useTranslation } from 'react-i18next'
import styles from './variation.module.css'

type VariedSamplesProps = { varied: Answer<'toolbox/vary'>; isOld: boolean }

/** Each image beside what a training would make of it, with the names of what is marked. */
export function VariedSamples({ varied: { samples, classes, task }, isOld }: VariedSamplesProps) {
  const { t } = useTranslation('variation')
  const isDrawn = task !== 'classification' && task !== 'multilabel'
  return (
    <ul className={styles.samples} aria-label={t('samples')} aria-busy={isOld} data-old={isOld || undefined}>
      {samples.map(({ name, before, after, marks }) => (
        <li key={name} className={styles.sample}>
          {before !== null && after !== null ? (
            <div className={styles.pair}>
              <figure>
                <img src={before} alt={t('beforeOf', { name })} />
                <figcaption>{t('before')}</figcaption>
              </figure>
              <figure>
                <img src={after} alt={t('afterOf', { name })} />
                <figcaption>{t('after')}</figcaption>
              </figure>
            </div>
          ) : (
            <p>{t('unread')}</p>
          )}
          <p className={styles.name} title={name}>
            {name.slice(name.lastIndexOf('/') + 1)}
          </p>
          <ul className={styles.marks}>
            {marks.map((mark) => (
              <li key={mark}>
                {isDrawn && (
                  <span
                    className={styles.colour}
                    style={{ background: markColours[mark % markColours.length] }}
                  />
                )}
                {classes[mark]}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
