import type { ViewKind } from '@neuroloom/contract/viewing'
import { Alert, Spin } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { parseTable } from './parse-table.ts'
import styles from './viewer.module.css'

/** So much of a long text is fetched; nobody reads more in a dialog. */
const SHOWN_BYTES = 1024 * 1024
const SHOWN_ROWS = 500

type TextViewProps = { url: string; kind: ViewKind; sizeBytes: number }

/** Text as it is, JSON in order, a table in rows and columns; never run, never taken for a page. */
export function TextView({ url, kind, sizeBytes }: TextViewProps) {
  const { t } = useTranslation('files')
  const [text, setText] = useState<string | null>(null)
  const [isFailed, setIsFailed] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    fetch(url, { signal: stop.signal, headers: { range: `bytes=0-${SHOWN_BYTES - 1}` } })
      .then(async (response) => {
        if (!response.ok) throw new Error(String(response.status))
        setText(decode(await response.arrayBuffer()))
      })
      .catch(() => {
        if (!stop.signal.aborted) setIsFailed(true)
      })
    return () => stop.abort()
  }, [url])
  if (isFailed) return <Alert type="error" showIcon title={t('view.textFailed')} />
  if (text === null) return <Spin />
  const isCut = sizeBytes > SHOWN_BYTES
  return (
    <div className={styles.text}>
      {isCut && <Alert type="info" showIcon title={t('view.cut', { size: formatBytes(SHOWN_BYTES) })} />}
      {kind === 'table' ? (
        <Rows text={text} />
      ) : (
        <pre>{kind === 'json' && !isCut ? inOrder(text) : text}</pre>
      )}
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

function inOrder(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Broken JSON is still text.
    return text
  }
}

/** UTF-8 or, where a mark says so, UTF-16; old programs' signs as best they can be told. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}
