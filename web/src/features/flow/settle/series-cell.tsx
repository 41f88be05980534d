import { EditOutlined, QuestionCircleFilled, WarningFilled } from '@ant-design/icons'
import type { FlowCell } from '@neuroloom/contract/flow/settled'
import { type FlowSeries, flowDirections, flowRoles, flowUnits } from '@neuroloom/contract/flow/study'
import { Button, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { toCm } from '../words.ts'
import type { Said } from './draft.ts'
import styles from './settle.module.css'

type Props = {
  series: FlowSeries
  cell: FlowCell
  /** `open`: nothing is known; `guessed`: nobody confirmed it. */
  mark: 'told' | 'guessed' | 'open' | 'answered'
  isEditable: boolean
  onSay: (said: Said) => void
  onConfirm: () => void
}

/** What a series is in one respect: as the files tell it, or a field with a mark that says how sure it is. */
export function SeriesCell({ series, cell, mark, isEditable, onSay, onConfirm }: Props) {
  const { t } = useTranslation('flow')
  const label = t('settle.cellOf', { column: t(`settle.column.${cell}`), series: series.name })
  if (!isEditable && mark === 'told') return <Told series={series} cell={cell} />
  return (
    <div className={styles.cell} data-mark={mark}>
      <Field
        series={series}
        cell={cell}
        label={label}
        isOpen={mark === 'open' || mark === 'guessed'}
        onSay={onSay}
      />
      {mark !== 'told' && (
        <span className={styles.mark}>
          <span>
            <Mark mark={mark} /> {t(`settle.${mark}`)}
          </span>
          {mark === 'guessed' && (
            <Button size="small" aria-label={t('settle.rightOf', { cell: label })} onClick={onConfirm}>
              {t('settle.right')}
            </Button>
          )}
        </span>
      )}
    </div>
  )
}

function Mark({ mark }: { mark: 'guessed' | 'open' | 'answered' }) {
  if (mark === 'guessed') return <QuestionCircleFilled aria-hidden />
  return mark === 'open' ? <WarningFilled aria-hidden /> : <EditOutlined aria-hidden />
}

function Told({ series, cell }: Pick<Props, 'series' | 'cell'>) {
  const { t } = useTranslation('flow')
  switch (cell) {
    case 'role':
      return t(`role.${series.role}`)
    case 'direction':
      return series.direction && t(`direction.${series.direction}`)
    case 'unit':
      return series.unit && t(`unit.${series.unit}`)
    case 'venc':
      return series.venc === null ? null : formatNumber(toCm(series.venc), 2)
  }
}

/** cm/s: what the contract takes of a VENC. */
const MOST_CM = 2000

type FieldProps = Pick<Props, 'series' | 'cell' | 'onSay'> & { label: string; isOpen: boolean }

function Field({ series, cell, label, isOpen, onSay }: FieldProps) {
  const { t } = useTranslation('flow')
  const common = {
    'aria-label': label,
    'aria-invalid': isOpen,
    placeholder: t('settle.choose'),
    status: isOpen ? ('warning' as const) : ('' as const),
    popupMatchSelectWidth: false,
  }
  switch (cell) {
    case 'role':
      return (
        <Select
          {...common}
          value={series.role}
          options={flowRoles.map((value) => ({ value, label: t(`role.${value}`) }))}
          onChange={(role) => onSay({ role })}
        />
      )
    case 'direction':
      return (
        <Select
          {...common}
          value={series.direction}
          options={[
            { label: t('direction.patient'), options: optionsOf(false) },
            { label: t('direction.grid'), options: optionsOf(true) },
          ]}
          onChange={(direction) => direction && onSay({ direction })}
        />
      )
    case 'unit':
      return (
        <Select
          {...common}
          value={series.unit}
          options={flowUnits.map((value) => ({ value, label: t(`unit.${value}`) }))}
          onChange={(unit) => unit && onSay({ unit })}
        />
      )
    case 'venc':
      return (
        <NumberField
          aria-label={label}
          aria-invalid={isOpen}
          status={isOpen ? 'warning' : ''}
          min={1}
          max={MOST_CM}
          value={series.venc === null ? null : toCm(series.venc)}
          onChange={(value) => onSay({ venc: value ? value / 100 : undefined })}
        />
      )
  }

  function optionsOf(isGrid: boolean) {
    return flowDirections
      .filter((value) => /^[+-]/.test(value) === isGrid)
      .map((value) => ({ value, label: t(`direction.${value}`) }))
  }
}
