import { type MarkedEncoding, textEncodings } from '@neuroloom/contract/names/encodings'
import { decodeText, encodingOfText, isPlain } from '@neuroloom/contract/names/text-encodings'
import type { ViewKind } from '@neuroloom/contract/viewing'
import { Alert, Select, Spin } from 'antd'
import { useEffect, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { parseTable } from '../../../lib/parse-table.ts'
import { orderedJson } from './ordered-json.ts'
import styles from './viewer.module.css'

/** So much of a long text is fetched; nobody reads more in a dialog. */
const SHOWN_BYTES = 1024 * 1024
const SHOWN_ROWS = 500

type TextViewProps = { url: string; kind: ViewKind; sizeBytes: number }

/** Text as it is, JSON in order, a table in rows and columns; never run, never taken for a page. */
export function TextView({ url, kind, sizeBytes }: TextViewProps) {
  const { t } = useTranslation('files')
  const [bytes, setBytes] = useState<Uint8Array | null>(null)
  const [chosen, setChosen] = useState<MarkedEncoding | null>(null)
  const [isFailed, setIsFailed] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    fetch(url, { signal: stop.signal, headers: { range: `bytes=0-${SHOWN_BYTES - 1}` } })
      .then(async (response) => {
        if (!response.ok) throw new Error(String(response.status))
        setBytes(new Uint8Array(await response.arrayBuffer()))
      })
      .catch(() => {
        if (!stop.signal.aborted) setIsFailed(true)
      })
    return () => stop.abort()
  }, [url])
  const guess = useMemo(() => bytes && encodingOfText(bytes), [bytes])
  if (isFailed) return <Alert type="error" showIcon title={t('view.textFailed')} />
  if (bytes === null || guess === null) return <Spin />
  const text = decodeText(bytes, chosen ?? guess)
  const isCut = sizeBytes > SHOWN_BYTES
  return (
    <div className={styles.text}>
      {isCut && <Alert type="info" showIcon title={t('view.cut', { size: formatBytes(SHOWN_BYTES) })} />}
      {!isPlain(bytes) && <Encoding guess={guess} value={chosen ?? guess} onChange={setChosen} />}
      {kind === 'table' ? (
        <Rows text={text} />
      ) : (
        <pre>{kind === 'json' && !isCut ? orderedJson(text) : text}</pre>
      )}
    </div>
  )
}

type EncodingProps = {
  guess: MarkedEncoding
  value: MarkedEncoding
  onChange: (value: MarkedEncoding) => void
}

/** For a text that looks like signs: in which alphabet it is read. */
function Encoding({ guess, value, onChange }: EncodingProps) {
  const { t } = useTranslation('files')
  const id = useId()
  const known: readonly MarkedEncoding[] = textEncodings
  const all = known.includes(guess) ? known : [guess, ...known]
  return (
    <div className={styles.encoding}>
      <label htmlFor={id}>{t('view.alphabet')}</label>
      <Select<MarkedEncoding>
        id={id}
        size="small"
        popupMatchSelectWidth={false}
        value={value}
        onChange={onChange}
        options={all.map((one) => ({ value: one, label: t(`encoding.${one}`) }))}
      />
    </div>
  )
}

function Rows({ text }: { text: string }) {
  const { t } = useTranslation('files')
  const [head = [], ...rows] = parseTable(text)
  const hidden = rows.length - SHOWN_ROWS
  return (
    <>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name and never move
              <th key={column}>{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name and never move
            <tr key={index}>
              {head.map((_, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <td key={column}>{row[column] ?? ''}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && <p>{t('view.moreRows', { count: hidden, shown: formatNumber(hidden) })}</p>}
    </>
  )
}
