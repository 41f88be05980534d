import type { Examined } from '@neuroloom/contract/recipes/doctor'
import { Button, Radio, Tag } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { ReasonText } from '../reason.tsx'
import styles from './doctor.module.css'
import type { OptionName } from './finding.ts'
import type { Group } from './groups.ts'
import { Preview } from './preview.tsx'

type GroupCardProps = {
  group: Group
  chosen: OptionName | null
  isShown: boolean
  repairsOf: Parameters<typeof Preview>[0]['repairsOf']
  onChoose: (name: OptionName) => void
  onShow: () => void
}

/** One thing that does not fit: how often, what can be done, in which files, and how that would look. */
export function GroupCard({ group, chosen, isShown, repairsOf, onChoose, onShow }: GroupCardProps) {
  const { t } = useTranslation('doctor')
  const id = useId()
  const { kind, options, pairs, isSure } = group
  const count = pairs.length
  return (
    <section className={styles.group} aria-labelledby={id}>
      <header className={styles.groupHead}>
        <h3 id={id}>{t(`finding.${kind}.title`, { count, shown: formatNumber(count) })}</h3>
        {!isSure && chosen === null && <Tag color="warning">{t('asked')}</Tag>}
      </header>
      <p className={styles.soft}>{t(`finding.${kind}.text`)}</p>
      {options.length > 1 && (
        <Radio.Group
          vertical
          aria-labelledby={id}
          value={chosen}
          options={options.map((value) => ({ value, label: t(`option.${value}`) }))}
          onChange={({ target }) => onChoose(target.value)}
        />
      )}
      <div className={styles.groupTools}>
        {kind !== 'unread' && (
          <Button onClick={onShow} aria-expanded={isShown}>
            {t(isShown ? 'hide' : 'show')}
          </Button>
        )}
      </div>
      {isShown && <Preview pairs={pairs} repairsOf={repairsOf} />}
      <details>
        <summary>{t('files', { count, shown: formatNumber(count) })}</summary>
        <ul className={styles.files}>
          {pairs.slice(0, MOST).map((pair) => (
            <PairLine key={pair.mask.id} pair={pair} />
          ))}
          {count > MOST && <li>{t('more', { count: count - MOST, shown: formatNumber(count - MOST) })}</li>}
        </ul>
      </details>
    </section>
  )
}

/** Lines that anybody reads. */
const MOST = 200

function PairLine({
  pair: { image, mask, imageLook, maskLook, imageReason, maskReason },
}: {
  pair: Examined
}) {
  const reason = imageReason ?? maskReason
  return (
    <li>
      {image.path} · {mask.path}{' '}
      {reason ? (
        <small>
          <ReasonText reason={reason} />
        </small>
      ) : (
        imageLook && maskLook && <small>{`${sizeOf(imageLook)} · ${sizeOf(maskLook)}`}</small>
      )}
    </li>
  )
}

const sizeOf = ({ width, height, depth }: { width: number; height: number; depth: number | null }): string =>
  [width, height, ...(depth === null ? [] : [depth])].join(' × ')
