import type { Listing } from '@neuroloom/contract/shop/listing'
import { Alert, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { formatScore } from '../../lib/metric.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { RefusalText } from '../../ui/limits/refusal-text.tsx'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import { ProjectChoice, useProjectOf } from './project-choice.tsx'
import styles from './shop.module.css'

/** A test on own images before anything is paid: the weights stay on the platform, and looks are counted. */
export function DriveDialog({ listing, onClose }: { listing: Listing; onClose: () => void }) {
  const { t } = useTranslation(['shop', 'tasks'])
  const navigate = useNavigate()
  const field = useId()
  const project = useProjectOf(listing.task)
  const { projectId } = project
  const sets = useCall('datasets/list', { projectId }, { quiet: true, enabled: projectId !== '' })
  const ready = sets.data?.datasets.filter(({ state }) => state === 'ready') ?? []
  const [dataset, setDataset] = useState<string | null>(null)
  const datasetId = ready.find(({ id }) => id === dataset)?.id ?? ready[0]?.id ?? ''
  const drive = useAction('shop/drive', {
    quiet: true,
    refresh: ['shop/detail', 'runs/list', 'projects/detail'],
    onDone: ({ id }) => void navigate(`/run?id=${id}`),
  })
  return (
    <SaveDialog
      width={560}
      title={t('drive.title')}
      saveLabel={t('drive.start')}
      isDisabled={datasetId === ''}
      onSave={() => drive.mutateAsync({ id: listing.id, projectId, datasetId })}
      onClose={onClose}
    >
      <div className={styles.form}>
        <p>{t('drive.text')}</p>
        <ProjectChoice of={project} label={t('drive.project')} />
        {projectId !== '' && (
          <>
            <div className={styles.field}>
              <label htmlFor={field}>{t('drive.set')}</label>
              <Select
                id={field}
                value={datasetId}
                notFoundContent={t('drive.noSet')}
                options={ready.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={setDataset}
              />
            </div>
            {sets.data && ready.length === 0 && <Alert type="info" showIcon title={t('drive.noSet')} />}
          </>
        )}
        <Drives listing={listing} />
        {drive.error && (
          <p role="alert" className={styles.problem}>
            <RefusalText error={drive.error} />
          </p>
        )}
      </div>
    </SaveDialog>
  )
}

/** What was tried before. A best of many looks at the same images is better by chance. */
export function Drives({ listing }: { listing: Listing }) {
  const { t } = useTranslation(['shop', 'tasks'])
  const { drives } = listing.mine
  if (drives.length === 0) return null
  const most = Math.max(...drives.map(({ looks }) => looks))
  return (
    <>
      <table className={styles.figures} aria-label={t('drive.before')}>
        <thead>
          <tr>
            <th>{t('drive.set')}</th>
            <th>{t('drive.looks')}</th>
            <th>{t(`score.${listing.task}`)}</th>
          </tr>
        </thead>
        <tbody>
          {drives.map(({ runId, datasetName, score, at, looks }) => (
            <tr key={runId}>
              <td>
                <Link to={`/run?id=${runId}`}>{datasetName}</Link>{' '}
                <span className={styles.help}>{formatDate(at, 'minute')}</span>
              </td>
              <td>{looks}</td>
              <td>{score === null ? '–' : formatScore(listing.task, score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {most > 0 && <p className={styles.help}>{t('drive.many')}</p>}
    </>
  )
}
