import type { DataFacts, Dataset, MaskFacts } from '@neuroloom/contract/datasets'
import { Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import styles from './masks.module.css'
import { useReadAs } from './use-read-as.ts'

type Props = {
  dataset: Dataset
  readers: NonNullable<DataFacts['readers']>
  masks: MaskFacts
  /** Whose masks count, or which of several pictures of a case are learned from. */
  part: 'labels' | 'images'
}

/** Of several that could be meant, the one that counts; another is chosen by its owner, and the folder read anew. */
export function ReaderChoice({ dataset, readers, masks, part }: Props) {
  const { t } = useTranslation('masks')
  const decide = useReadAs()
  const counts = part === 'labels' ? masks.counts : masks.channel
  const options = [
    ...readers.map(({ key, name, items }) => ({
      value: key,
      label: t('option', {
        name: name === '' ? t('unnamed') : name,
        count: items,
        shown: formatNumber(items),
      }),
    })),
    ...(part === 'labels' && masks.mayVote
      ? (['majority', 'all'] as const).map((value) => ({ value, label: t(`way.${value}`) }))
      : []),
  ]
  return (
    <fieldset className={styles.choice} disabled={dataset.owner !== '' || decide.isPending}>
      <legend>{t(part === 'labels' ? 'whose' : 'which')}</legend>
      <p>{t(part === 'labels' ? 'whoseAbout' : 'whichAbout')}</p>
      <Radio.Group
        vertical
        value={counts}
        options={options}
        onChange={(event) =>
          decide.mutate({
            id: dataset.id,
            reading: { ...dataset.reading, [part]: String(event.target.value) },
          })
        }
      />
      {part === 'labels' && masks.agreement !== null && (
        <p>{t('agreement', { dice: formatNumber(masks.agreement, 2) })}</p>
      )}
    </fieldset>
  )
}
