/** The list of what was measured: what each mark says, its name, and what can be done with all of them. */
import { CopyOutlined, DeleteOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../../lib/copy-text.ts'
import { toast } from '../../../../lib/toast.ts'
import { type Mark, NAME_LENGTH } from './marks.ts'
import { csvOf, type Row } from './marks-csv.ts'
import styles from './measure.module.css'
import { ProfileChart } from './profile-chart.tsx'
import { useMeasuredText } from './use-measured-text.ts'
import type { Measuring } from './use-measuring.ts'

type PanelProps = {
  measuring: Measuring
  unit: string
  /** What is unsure about lengths in this image, in sentences. */
  cautions: readonly string[]
  onGo: (mark: Mark) => void
}

export function MarkPanel({ measuring, unit, cautions, onGo }: PanelProps) {
  const { t } = useTranslation('viewer')
  const { rows, canUndo, canRedo, change } = measuring
  const copy = async () => {
    if (await copyText(csvOf(rows, unit))) toast.success(t('copied'))
    else toast.warning(t('notCopied'))
  }
  return (
    <section className={styles.panel} aria-label={t('measured')}>
      <header>
        <h3>{t('measured')}</h3>
        {measuring.shared === null && (
          <>
            <Tool
              label={t('undo')}
              icon={<UndoOutlined />}
              isOff={!canUndo}
              onUse={() => change({ deed: 'undo' })}
            />
            <Tool
              label={t('redo')}
              icon={<RedoOutlined />}
              isOff={!canRedo}
              onUse={() => change({ deed: 'redo' })}
            />
          </>
        )}
        <Tool
          label={t('copyTable')}
          icon={<CopyOutlined />}
          isOff={rows.length === 0}
          onUse={() => void copy()}
        />
        <Tool
          label={t('removeAll')}
          icon={<DeleteOutlined />}
          isOff={rows.length === 0 || !measuring.canSet}
          onUse={() => change({ deed: 'clear' })}
        />
      </header>
      {cautions.map((caution) => (
        <p key={caution}>{caution}</p>
      ))}
      <ol>
        {rows.map((row) => (
          <Item key={row.mark.number} row={row} measuring={measuring} unit={unit} onGo={onGo} />
        ))}
      </ol>
    </section>
  )
}

type ToolProps = { label: string; icon: React.ReactNode; isOff?: boolean; onUse: () => void }

const Tool = ({ label, icon, isOff = false, onUse }: ToolProps) => (
  <Button
    type="text"
    size="small"
    icon={<span aria-hidden>{icon}</span>}
    disabled={isOff}
    aria-label={label}
    title={label}
    onClick={onUse}
  />
)

type ItemProps = Pick<PanelProps, 'measuring' | 'unit' | 'onGo'> & { row: Row }

function Item({ row: { mark, name, measured }, measuring, unit, onGo }: ItemProps) {
  const { t } = useTranslation('viewer')
  const textOf = useMeasuredText(unit)
  const { selected, select, change, shared } = measuring
  const usual = t(`mark.${mark.kind}`, { number: mark.number })
  return (
    <li data-selected={selected === mark.number}>
      <div className={styles.head}>
        <Input
          // What was undone is read again.
          key={mark.name}
          variant="borderless"
          size="small"
          aria-label={t('nameOf', { name: usual })}
          placeholder={usual}
          defaultValue={mark.name}
          readOnly={shared !== null && !shared.canChange(mark)}
          maxLength={shared?.nameLength ?? NAME_LENGTH}
          onFocus={() => {
            select(mark.number)
            onGo(mark)
          }}
          onPressEnter={({ currentTarget }) => currentTarget.blur()}
          onBlur={({ target: { value } }) => {
            const next = value.trim()
            if (next !== mark.name) change({ deed: 'rename', number: mark.number, name: next })
          }}
        />
        <Tool
          label={t('removeOf', { name })}
          icon={<DeleteOutlined />}
          isOff={shared !== null && !shared.canRemove(mark)}
          onUse={() => change({ deed: 'remove', number: mark.number })}
        />
      </div>
      <button
        type="button"
        className={styles.said}
        aria-label={t('showOf', { name })}
        onClick={() => {
          select(mark.number)
          onGo(mark)
        }}
      >
        {shared && <span>{shared.authorOf(mark)}</span>}
        {textOf.lines(measured).map((line) => (
          <span key={line}>{line}</span>
        ))}
      </button>
      {measured.profile && (
        <ProfileChart
          profile={measured.profile}
          isMillimetres={measured.isMillimetres}
          unit={unit}
          name={name}
        />
      )}
    </li>
  )
}
