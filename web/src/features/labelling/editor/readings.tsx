import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../../lib/query.ts'
import type { OpenedReading } from '../journal/opening.ts'
import { besideOf, readingOf } from '../people/addresses.ts'
import styles from './editor.module.css'

/** Who else read this image, for those who may see it. */
export function Readings({ opened: { set, item, reading } }: { opened: OpenedReading }) {
  const { t } = useTranslation(['label-people', 'labelling'])
  const isSeen = set.right !== 'read' || !set.blind
  const { data } = useCall('labelling/readings', { itemId: item.id }, { quiet: true, enabled: isSeen })
  const readings = data?.readings ?? []
  const isAlone = readings.every(({ id }) => id === reading.id)
  if (!isSeen || isAlone) return null
  return (
    <section className={styles.part}>
      <h2>{t('beside.readings')}</h2>
      <ul className={styles.minutes}>
        {readings.map(({ id, reader, isAgreed, state }) => {
          const name = isAgreed ? t('beside.agreed') : reader || t('you')
          return (
            <li key={id}>
              {id === reading.id ? (
                <strong aria-current="true">{name}</strong>
              ) : (
                <Link to={readingOf(set.id, item.id, id)}>{name}</Link>
              )}
              <span>{t(`labelling:state.${state}`)}</span>
            </li>
          )
        })}
      </ul>
      <Link to={besideOf(set.id, item.id)}>{t('beside.open')}</Link>
    </section>
  )
}
