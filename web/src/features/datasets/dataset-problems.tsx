import { DownloadOutlined } from '@ant-design/icons'
import type { Problem } from '@neuroloom/contract/datasets'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './dataset-problems.module.css'
import { problemText, remedyText } from './problem-text.ts'
import { saveCsv } from './problems-csv.ts'

/** What was set aside, each file with its reason in plain words and what to do about it. */
export function DatasetProblems({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation('datasets')
  const query = useInfiniteQuery({
    queryKey: ['datasets/problems', { id: datasetId }, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('datasets/problems', { id: datasetId, after: pageParam }, { quiet: true, signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
  })
  const problems = query.data?.pages.flatMap((page) => page.problems) ?? []
  if (query.isPending) return <Loading shape="rows" count={5} />
  if (query.isError && problems.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (problems.length === 0) return <EmptyState title={t('noProblems')} />
  return (
    <div className={styles.problems}>
      <div className={styles.head}>
        <p>{t('problemsText')}</p>
        <CsvButton datasetId={datasetId} />
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('file')}</th>
            <th scope="col">{t('reason')}</th>
          </tr>
        </thead>
        <tbody>
          {problems.map((problem, index) => (
            // The list only ever grows at its end.
            // biome-ignore lint/suspicious/noArrayIndexKey: one file may appear twice with the same reason
            <Row key={index} problem={problem} />
          ))}
        </tbody>
      </table>
      {query.hasNextPage && (
        <Button loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </div>
  )
}

function Row({ problem }: { problem: Problem }) {
  const { t } = useTranslation('datasets')
  return (
    <tr>
      <td>{problem.path}</td>
      <td>
        <strong>{problemText(problem, t)}</strong>
        <span>{remedyText(problem, t)}</span>
      </td>
    </tr>
  )
}

function CsvButton({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation('datasets')
  const [isBusy, setIsBusy] = useState(false)
  const handleClick = async () => {
    setIsBusy(true)
    try {
      await saveCsv(datasetId, t)
    } catch {
      // The call has said why.
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button icon={<DownloadOutlined aria-hidden />} loading={isBusy} onClick={handleClick}>
      {t('downloadList')}
    </Button>
  )
}
