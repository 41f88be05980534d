import { CloudOutlined, UploadOutlined } from '@ant-design/icons'
import { Alert, Button, Input, Upload } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, messageOf } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { readTable, readText } from './read-table.ts'
import styles from './statistics.module.css'
import { type Table, TableProblem } from './table.ts'

/** Where a table came from: only of one in the cloud the history keeps which it was. */
export type Source = { table: Table; name: string; fileId: string | null }

/** Chooses one file of the cloud. */
export type CloudPicker = (props: {
  open: boolean
  onPick: (file: { id: string; name: string }) => void
  onClose: () => void
}) => ReactNode

type DataSourceProps = {
  source: Source | null
  onChange: (source: Source | null) => void
  picker: CloudPicker
}

/** A table that is pasted, read from this computer or from the cloud; it stays in this browser. */
export function DataSource({ source, onChange, picker }: DataSourceProps) {
  const { t } = useTranslation('statistics')
  const id = useId()
  const [text, setText] = useState('')
  const [isPicking, setPicking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const take = async (name: string, fileId: string | null, read: () => Table | Promise<Table>) => {
    try {
      onChange({ table: await read(), name, fileId })
      setProblem(null)
    } catch (error) {
      onChange(null)
      setProblem(error instanceof TableProblem ? t(`problem.${error.message}`) : messageOf(error))
    }
  }
  return (
    <div className={styles.form}>
      <div className={styles.buttons}>
        <Upload
          accept=".csv,.tsv,.txt,.xlsx"
          showUploadList={false}
          beforeUpload={(file) => {
            void take(file.name, null, async () => readTable(new Uint8Array(await file.arrayBuffer())))
            return false
          }}
        >
          <Button icon={<UploadOutlined aria-hidden />}>{t('data.file')}</Button>
        </Upload>
        <Button icon={<CloudOutlined aria-hidden />} onClick={() => setPicking(true)}>
          {t('data.cloud')}
        </Button>
      </div>
      <div className={styles.field}>
        <label htmlFor={id}>{t('data.paste')}</label>
        <Input.TextArea
          id={id}
          rows={4}
          className={styles.paste ?? ''}
          placeholder={t('data.example')}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            if (event.target.value.trim() !== '') void take('', null, () => readText(event.target.value))
          }}
        />
      </div>
      {problem && <Alert type="error" showIcon title={problem} />}
      {source && <Glimpse source={source} />}
      {picker({
        open: isPicking,
        onPick: ({ id: fileId, name }) => {
          setPicking(false)
          void take(name, fileId, () => fetchTable(fileId))
        },
        onClose: () => setPicking(false),
      })}
    </div>
  )
}

/** The bytes of a file of the cloud, read here. */
export async function fetchTable(id: string): Promise<Table> {
  const { url } = await call('files/open', { id }, { quiet: true })
  const response = await fetch(url)
  if (!response.ok) throw new TableProblem('unreadable')
  return readTable(new Uint8Array(await response.arrayBuffer()))
}

const shownRows = 4

function Glimpse({ source: { table, name } }: { source: Source }) {
  const { t } = useTranslation('statistics')
  const said = t('data.read', {
    rows: formatNumber(table.rows.length),
    columns: formatNumber(table.names.length),
    count: table.rows.length,
  })
  return (
    <ScrollRegion name={said} className={styles.scroll}>
      <table className={styles.numbers}>
        <caption>{name === '' ? said : `${name}: ${said}`}</caption>
        <thead>
          <tr>
            {table.names.map((one) => (
              <th key={one} scope="col">
                {one}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, shownRows).map((row, k) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name, and their order never changes.
            <tr key={k}>
              {table.names.map((one, place) => (
                <td key={one}>{row[place]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
