import { workbooks as limits } from '@neuroloom/contract/limits'
import { type Workbook, workbookSchema } from '@neuroloom/contract/viewing'
import { Alert, Select, Spin } from 'antd'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import styles from './viewer.module.css'

type Sheet = Workbook['sheets'][number]

/** A workbook sheet by sheet, with the letters and numbers by which people speak of its cells; all of it is text. */
export function WorkbookView({ url }: { url: string }) {
  const { t } = useTranslation('files')
  const id = useId()
  const [sheets, setSheets] = useState<readonly Sheet[] | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const [isFailed, setIsFailed] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    fetch(url, { signal: stop.signal })
      .then(async (response) => {
        if (!response.ok) throw new Error(String(response.status))
        setSheets(workbookSchema.parse(await response.json()).sheets)
      })
      .catch(() => {
        if (!stop.signal.aborted) setIsFailed(true)
      })
    return () => stop.abort()
  }, [url])
  if (isFailed) return <Alert type="error" showIcon title={t('view.workbook.failed')} />
  if (sheets === null) return <Spin />
  const first = Math.max(
    sheets.findIndex(({ isHidden }) => !isHidden),
    0,
  )
  const sheet = sheets[chosen ?? first]
  if (!sheet) return <Alert type="info" showIcon title={t('view.workbook.none')} />
  return (
    <div className={styles.text}>
      <div className={styles.encoding}>
        <label htmlFor={id}>{t('view.workbook.label')}</label>
        <Select
          id={id}
          size="small"
          popupMatchSelectWidth={false}
          value={chosen ?? first}
          onChange={setChosen}
          options={sheets.map(({ name, isHidden }, value) => ({
            value,
            label: isHidden ? t('view.workbook.hidden', { name }) : name,
          }))}
        />
      </div>
      {sheet.isCut && (
        <Alert
          type="info"
          showIcon
          title={t('view.workbook.cut', {
            rows: formatNumber(limits.rows),
            columns: formatNumber(limits.columns),
          })}
        />
      )}
      {sheet.rows.length === 0 && !sheet.isCut ? <p>{t('view.workbook.empty')}</p> : <Cells sheet={sheet} />}
    </div>
  )
}

function Cells({ sheet: { rows, merged } }: { sheet: Sheet }) {
  const width = Math.max(0, ...rows.map((row) => row.length))
  const columns = Array.from({ length: width }, (_, column) => column)
  const { spans, covered } = spansOf(merged, width)
  return (
    <table>
      <thead>
        <tr>
          <td />
          {columns.map((column) => (
            <th key={column} scope="col">
              {lettersOf(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name and never move
          <tr key={index}>
            <th scope="row">{index + 1}</th>
            {columns
              .filter((column) => !covered.has(`${index} ${column}`))
              .map((column) => (
                <td key={column} {...spans.get(`${index} ${column}`)}>
                  {row[column] ?? ''}
                </td>
              ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Cells that are one, by their first; where two such overlap, the first one stands. */
function spansOf(merged: Sheet['merged'], width: number) {
  const spans = new Map<string, { rowSpan: number; colSpan: number }>()
  const covered = new Set<string>()
  for (const [top, left, height, columns] of merged) {
    const right = Math.min(left + columns, width)
    const places: string[] = []
    for (let row = top; row < top + height; row += 1)
      for (let column = left; column < right; column += 1) places.push(`${row} ${column}`)
    const [corner, ...others] = places
    if (corner === undefined || places.some((place) => covered.has(place) || spans.has(place))) continue
    spans.set(corner, { rowSpan: height, colSpan: right - left })
    for (const place of others) covered.add(place)
  }
  return { spans, covered }
}

/** A, B … Z, AA, AB … */
function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last
}
