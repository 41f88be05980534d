import { DownOutlined, RightOutlined } from '@ant-design/icons'
import type { Cost } from '@neuroloom/contract/network/resolve/summary'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../../../lib/format.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import { shortNumber } from '../../gallery-number.ts'
import { useWords } from '../words.ts'
import styles from './cost.module.css'
import { type CostRow, costRows } from './cost-rows.ts'
import { useCosts } from './use-costs.ts'

/** Every layer and block with its share of the whole; blocks unfold. */
export function CostTable() {
  const { t } = useTranslation('dripe-panels')
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const costs = useCosts()
  const rows = useMemo(() => costRows(document, vocabulary, costs), [document, vocabulary, costs])
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (path: string) => {
    const next = new Set(open)
    if (!next.delete(path)) next.add(path)
    setOpen(next)
  }
  const total = costs.get('')
  if (total === undefined) return null
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('cost.layer')}</th>
          <th scope="col">{t('cost.parametersShort')}</th>
          <th scope="col">{t('cost.macsShort')}</th>
          <th scope="col">{t('cost.memoryShort')}</th>
        </tr>
      </thead>
      <tbody>
        {unfolded(rows, open).map(({ row, depth }) => (
          <Row
            key={row.path}
            row={row}
            depth={depth}
            total={total}
            isOpen={open.has(row.path)}
            onToggle={() => toggle(row.path)}
          />
        ))}
      </tbody>
    </table>
  )
}

type Line = { row: CostRow; depth: number }

function unfolded(rows: readonly CostRow[], open: ReadonlySet<string>, depth = 0): Line[] {
  return rows.flatMap((row) => [
    { row, depth },
    ...(open.has(row.path) ? unfolded(row.children ?? [], open, depth + 1) : []),
  ])
}

type RowProps = Line & { total: Cost; isOpen: boolean; onToggle: () => void }

function Row({ row, depth, total, isOpen, onToggle }: RowProps) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const words = useWords()
  const block = useEditor(({ document }) => document.blocks.get(row.op) ?? null)
  const isSelected = useEditor(({ selection }) => selection.has(row.path))
  return (
    <tr data-selected={isSelected}>
      <td>
        <div className={styles.cell} style={{ paddingInlineStart: `${depth}em` }}>
          {row.children === undefined ? (
            <span className={styles.leaf} />
          ) : (
            <button
              type="button"
              className={styles.fold}
              aria-expanded={isOpen}
              aria-label={t('cost.unfold', { name: row.id })}
              onClick={onToggle}
            >
              {isOpen ? <DownOutlined aria-hidden /> : <RightOutlined aria-hidden />}
            </button>
          )}
          <button
            type="button"
            className={styles.name}
            title={words.title(row.op, block)}
            onClick={() => store.getState().reveal(row.path)}
          >
            {row.id}
            {row.repeat ? ' ×' : ''}
          </button>
        </div>
      </td>
      <Figure value={row.learn} total={total.learn} format={shortNumber} />
      <Figure value={row.macs} total={total.macs} format={shortNumber} />
      <Figure value={row.keptBytes} total={total.keptBytes} format={formatBytes} />
    </tr>
  )
}

type FigureProps = { value: number; total: number; format: (value: number) => string }

function Figure({ value, total, format }: FigureProps) {
  const share = total === 0 ? 0 : Math.min(1, value / total)
  return (
    <td title={formatNumber(value, 0)}>
      {value === 0 ? '–' : format(value)}
      <span className={styles.share} aria-hidden="true">
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
    </td>
  )
}
