import { PictureOutlined, TagsOutlined } from '@ant-design/icons'
import type { Dataset } from '@neuroloom/contract/datasets'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import styles from './dataset-card.module.css'

/** The image part and the label part: training takes one of each, so both are shown as two things that fit. */
export function DatasetParts({ dataset: { parts, facts } }: { dataset: Dataset }) {
  const { t } = useTranslation('datasets')
  return (
    <ul className={styles.parts}>
      {parts.map(({ id, part, items }) => (
        <li key={id}>
          {part === 'image' ? <PictureOutlined aria-hidden /> : <TagsOutlined aria-hidden />}
          <span>
            <strong>{t(`part.${part}`)}</strong>
            {t(`partItems.${part}`, { count: items, shown: formatNumber(items) })}
          </span>
        </li>
      ))}
      {facts && (
        <li className={styles.facts}>
          {t('facts', {
            size: sizeOf(facts),
            colour: t(facts.channels === 1 ? 'grey' : 'colour'),
          })}
        </li>
      )}
    </ul>
  )
}

function sizeOf({ width, height }: NonNullable<Dataset['facts']>): string {
  const isOneSize = width.min === width.max && height.min === height.max
  if (isOneSize) return `${width.max} × ${height.max}`
  return `${width.min} × ${height.min} – ${width.max} × ${height.max}`
}
