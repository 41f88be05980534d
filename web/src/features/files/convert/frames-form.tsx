import { videoFrames as limits } from '@neuroloom/contract/limits'
import { Alert, Radio, Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import styles from './convert.module.css'
import { countOf, type FramesChoice, problemOf, type VideoFacts } from './frames-plan.ts'

type FramesFormProps = { facts: VideoFacts; choice: FramesChoice; onChange: (choice: FramesChoice) => void }

/** Widths of full HD, HD and what networks usually take. */
const sides = [1920, 1280, 640, 320] as const
/** The longer side as it is; `Select` knows no null. */
const OWN = 0

/** Which frames, how large, and as what; says how many pictures that makes. */
export function FramesForm({ facts, choice, onChange }: FramesFormProps) {
  const { t } = useTranslation('conversions')
  const change = (part: Partial<FramesChoice>): void => onChange({ ...choice, ...part })
  const sideId = useId()
  const longer = Math.max(facts.width, facts.height)
  const isPerSecond = choice.by === 'perSecond'
  return (
    <div className={styles.options}>
      <div>
        <strong>{t('frames.which')}</strong>
        <Radio.Group
          aria-label={t('frames.which')}
          className={styles.radios ?? ''}
          value={choice.by}
          onChange={({ target }) => change({ by: target.value })}
          options={(['perSecond', 'nth'] as const).map((value) => ({
            value,
            label: t(`frames.${value}`),
            disabled: value === 'nth' && facts.rate === null,
          }))}
        />
        {facts.rate === null && <p className={styles.soft}>{t('frames.noNth')}</p>}
        <NumberField
          aria-label={t(`frames.${choice.by}`)}
          min={isPerSecond ? 0.01 : 1}
          max={isPerSecond ? limits.perSecond : limits.everyNth}
          {...(isPerSecond ? {} : { precision: 0 })}
          value={choice[choice.by]}
          onChange={(value) => value !== null && change({ [choice.by]: value })}
        />
      </div>
      <div>
        <strong>{t('frames.span')}</strong>
        <span className={styles.numbers}>
          {(['from', 'to'] as const).map((end) => (
            <NumberField
              key={end}
              aria-label={t(`frames.${end}`)}
              min={0}
              step={1}
              value={choice[end]}
              onChange={(value) => value !== null && change({ [end]: value })}
            />
          ))}
        </span>
      </div>
      <div>
        <label htmlFor={sideId}>
          <strong>{t('frames.side')}</strong>
        </label>
        <Select<number>
          id={sideId}
          className={styles.select ?? ''}
          value={choice.side ?? OWN}
          onChange={(value) => change({ side: value === OWN ? null : value })}
          options={[
            { value: OWN, label: t('frames.sideOwn') },
            ...sides
              .filter((side) => side < longer)
              .map((side) => ({ value: side, label: t('frames.pixels', { side: formatNumber(side) }) })),
          ]}
        />
      </div>
      <div>
        <strong>{t('frames.kind')}</strong>
        <Radio.Group
          aria-label={t('frames.kind')}
          value={choice.kind}
          onChange={({ target }) => change({ kind: target.value })}
          options={(['png', 'jpeg'] as const).map((value) => ({ value, label: t(`frames.${value}`) }))}
        />
      </div>
      <Outcome facts={facts} choice={choice} />
    </div>
  )
}

function Outcome({ facts, choice }: Pick<FramesFormProps, 'facts' | 'choice'>) {
  const { t } = useTranslation('conversions')
  const count = countOf(choice, facts)
  const shown = formatNumber(count)
  const problem = problemOf(choice, facts)
  if (problem)
    return (
      <Alert
        type="warning"
        showIcon
        title={t(`frames.${problem}`, { shown, limit: formatNumber(limits.frames) })}
      />
    )
  return <strong role="status">{t('frames.count', { count, shown })}</strong>
}
