import { DownloadOutlined, HistoryOutlined, SearchOutlined } from '@ant-design/icons'
import { deedOf, type FileRecord, type RecordAction } from '@neuroloom/contract/files'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { download } from '../../lib/download.ts'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { usePages } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTyped } from '../../ui/hooks/use-typed.ts'
import styles from '../../ui/list.module.css'
import { Loading } from '../../ui/loading.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { foldedRecords } from './folded-records.ts'

/** The contract's own list comes with schemas that must not reach the browser; its type keeps both equal. */
const actions: Record<RecordAction, true> = {
  upload: true,
  replace: true,
  createFolder: true,
  rename: true,
  move: true,
  copy: true,
  download: true,
  remove: true,
  restore: true,
  purge: true,
  share: true,
  unshare: true,
  leave: true,
  openLink: true,
  publish: true,
  unpack: true,
  convert: true,
  prepare: true,
  blackTexts: true,
  deidentify: true,
}
const allActions = Object.keys(actions).filter((name): name is RecordAction => name in actions)

const DAY_MS = 24 * 60 * 60 * 1000
const spans = [1, 7, 30, 0] as const

/** Who did what with the own files, and what oneself did with those of others. */
export function RecordsTab() {
  const { t } = useTranslation('files')
  const search = useTyped()
  const [chosen, setChosen] = useState<RecordAction[]>([])
  const [since, setSince] = useState<Since>({ days: 0, from: null })
  const question = { search: search.settled, actions: chosen, from: since.from }
  const query = usePages('files/records', question)
  const records = query.data?.pages.flatMap((page) => page.records) ?? []
  if (query.isPending) return <Loading shape="rows" count={6} />
  if (query.isError && records.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (records.length === 0 && search.text === '' && chosen.length === 0 && since.days === 0)
    return (
      <EmptyState
        icon={<HistoryOutlined aria-hidden />}
        title={t('records.empty')}
        text={t('records.emptyText')}
      />
    )
  return (
    <>
      <RecordTools {...{ search, chosen, since, question }} onChoose={setChosen} onSince={setSince} />
      {records.length === 0 ? (
        <EmptyState title={t('records.none')} text={t('records.noneText')} />
      ) : (
        <table className={styles.list}>
          <thead>
            <tr>
              <th className={styles.wide}>{t('records.when')}</th>
              <th className={styles.wide}>{t('records.who')}</th>
              <th>{t('records.what')}</th>
            </tr>
          </thead>
          <tbody>
            {foldedRecords(records).map((run) => (
              <Record key={run[0]?.id} run={run} />
            ))}
          </tbody>
        </table>
      )}
      <MoreButton query={query} />
    </>
  )
}

/** 0 days = since ever. */
type Since = { days: number; from: string | null }
type RecordToolsProps = {
  search: ReturnType<typeof useTyped>
  chosen: RecordAction[]
  since: Since
  question: { search: string; actions: RecordAction[]; from: string | null }
  onChoose: (actions: RecordAction[]) => void
  onSince: (since: Since) => void
}

function RecordTools({ search, chosen, since, question, onChoose, onSince }: RecordToolsProps) {
  const { t } = useTranslation(['files', 'records'])
  const save = async () => {
    try {
      const { url } = await call('files/exportRecords', question)
      await download({ url, name: `${t('records.fileName')}.csv`, sizeBytes: 0 })
    } catch {
      // The call has said why.
    }
  }
  const chooseDays = (days: number) =>
    onSince({ days, from: days === 0 ? null : new Date(Date.now() - days * DAY_MS).toISOString() })
  return (
    <div className={styles.tools}>
      <Input
        allowClear
        prefix={<SearchOutlined aria-hidden />}
        placeholder={t('records.search')}
        aria-label={t('records.search')}
        maxLength={200}
        value={search.text}
        onChange={(event) => search.setText(event.target.value)}
      />
      <Select<RecordAction[]>
        mode="multiple"
        allowClear
        maxTagCount="responsive"
        className={styles.select ?? ''}
        placeholder={t('records.allActions')}
        aria-label={t('records.actions')}
        value={chosen}
        onChange={onChoose}
        options={allActions.map((value) => ({ value, label: t(`records:action.${value}`) }))}
      />
      <Select<number>
        className={styles.select ?? ''}
        aria-label={t('records.span')}
        value={since.days}
        onChange={chooseDays}
        options={spans.map((value) => ({
          value,
          label: value === 0 ? t('records.always') : t('records.days', { count: value }),
        }))}
      />
      <span className={styles.spring} />
      <Button icon={<DownloadOutlined aria-hidden />} onClick={save}>
        {t('records.export')}
      </Button>
    </div>
  )
}

/** Of one deed, or of the same deed with many files. */
function Record({ run }: { run: readonly FileRecord[] }) {
  const { t } = useTranslation(['files', 'records'])
  const [record] = run
  if (!record) return null
  const { actor, name, detail, at } = record
  const way = [detail.from, detail.to].filter((place) => place !== undefined && place !== '').join(' → ')
  const more = [way, detail.account, detail.group, detail.count === undefined ? '' : count(t, detail.count)]
  const [when, who] = [formatDate(at, 'minute'), actor || t('records.visitor')]
  return (
    <tr>
      <td className={styles.wide}>{when}</td>
      <td className={styles.wide}>{who}</td>
      <td>
        {t(`records:action.${deedOf(record)}`)}
        {t('records.colon')}
        <strong>{run.length > 1 ? count(t, run.length) : name}</strong>
        {run.length > 1 ? (
          <details>
            <summary>{t('records.names')}</summary>
            {run.map((one) => (
              <small key={one.id}>{one.name}</small>
            ))}
          </details>
        ) : null}
        <small>{more.filter((part) => part !== undefined && part !== '').join(' · ')}</small>
        <small className={styles.narrow}>{`${when} · ${who}`}</small>
      </td>
    </tr>
  )
}

const count = (t: ReturnType<typeof useTranslation<'files'>>['t'], files: string | number): string =>
  t('fileCount', { count: Number(files), shown: formatNumber(Number(files)) })
