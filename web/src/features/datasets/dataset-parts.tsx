import { PictureOutlined, TagsOutlined } from '@ant-design/icons'
import type { Dataset } from '@neuroloom/contract/datasets'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import styles from './dataset-card.module.css'

type Part = Dataset['parts'][number]['part']

/** What a part's items are called, where they are not images and labels. */
const counted: Partial<Record<Task, Partial<Record<Part, 'volume' | 'large' | 'clean'>>>> = {
  volume_segmentation: { image: 'volume' },
  super_resolution: { label: 'large' },
  denoising: { label: 'clean' },
}

/** The image part and the label part: training takes one of each, so both are shown as two things that fit. */
export function DatasetParts({ dataset: { parts, facts, task } }: { dataset: Dataset }) {
  const { t } = useTranslation('datasets')
  const wordOf = (part: Part) => (task === null ? undefined : counted[task]?.[part]) ?? part
  return (
    <ul className={styles.parts}>
      {parts.map(({ id, part, items }) => (
        <li key={id}>
          {part === 'image' ? <PictureOutlined aria-hidden /> : <TagsOutlined aria-hidden />}
          <span>
            <strong>{t(`part.${part}`)}</strong>
            {t(`partItems.${wordOf(part)}`, { count: items, shown: formatNumber(items) })}
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
