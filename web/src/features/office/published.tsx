import { SearchOutlined } from '@ant-design/icons'
import { published as limits } from '@neuroloom/contract/limits'
import type { PublicFolder, PublicProject } from '@neuroloom/contract/office/published'
import { Button, Input, Segmented } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatBytes, formatDate } from '../../lib/format.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { useTyped } from '../../ui/hooks/use-typed.ts'
import list from '../../ui/list.module.css'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { DeedDialog } from './deed-dialog.tsx'
import styles from './office.module.css'
import { WordsField } from './words-field.tsx'

const kinds = ['folders', 'projects'] as const
type Kind = (typeof kinds)[number]

/** What every member may look at: folders of data, and projects with their networks. */
export function Published() {
  const { t } = useTranslation('published')
  const [kind, setKind] = useState<Kind>('folders')
  const search = useTyped()
  const shown = { search: search.settled }
  return (
    <>
      <div className={list.tools}>
        <Segmented<Kind>
          aria-label={t('which')}
          value={kind}
          onChange={setKind}
          options={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
        <Input
          allowClear
          type="search"
          prefix={<SearchOutlined aria-hidden />}
          aria-label={t('search')}
          maxLength={200}
          value={search.text}
          onChange={({ target }) => search.setText(target.value)}
        />
      </div>
      {kind === 'folders' ? (
        <Folders key={search.settled} {...shown} />
      ) : (
        <Projects key={search.settled} {...shown} />
      )}
    </>
  )
}

type Shown = { search: string }

function Folders({ search }: Shown) {
  const { t } = useTranslation('published')
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useCall(
    'office/publicFolders',
    { search, page },
    { quiet: true, keepPrevious: true },
  )
  if (data?.folders.length === 0 && page > 1 && !isPlaceholderData) setPage(page - 1)
  const factsOf = ({ fileCount, sizeBytes, withPatients }: PublicFolder): Fact[] => [
    [t('files'), t('fileCount', { count: fileCount, size: formatBytes(sizeBytes) })],
    [t('patients'), withPatients ? t('withPatients') : null],
  ]
  return (
    <>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.folders.length === 0 && <EmptyState title={t('none.folders')} text={t('none.text')} />}
      <ul className={styles.cards} aria-label={t('kind.folders')}>
        {data?.folders.map((folder) => (
          <li key={folder.id}>
            <PublishedCard
              kind="folders"
              thing={folder}
              to={`/cloudFile?id=${folder.id}`}
              facts={factsOf(folder)}
            />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
    </>
  )
}

function Projects({ search }: Shown) {
  const { t } = useTranslation(['published', 'tasks'])
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useCall(
    'office/publicProjects',
    { search, page },
    { quiet: true, keepPrevious: true },
  )
  if (data?.projects.length === 0 && page > 1 && !isPlaceholderData) setPage(page - 1)
  return (
    <>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.projects.length === 0 && <EmptyState title={t('none.projects')} text={t('none.text')} />}
      <ul className={styles.cards} aria-label={t('kind.projects')}>
        {data?.projects.map((project) => (
          <li key={project.id}>
            <PublishedCard
              kind="projects"
              thing={project}
              to={`/projectDetail?id=${project.id}`}
              facts={[[t('task'), t(`tasks:name.${project.task}`)]]}
            />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
    </>
  )
}

type CardProps = {
  kind: Kind
  thing: PublicFolder | PublicProject
  /** Where everybody finds it. */
  to: string
  facts: readonly Fact[]
}

function PublishedCard({ kind, thing, to, facts }: CardProps) {
  const { t } = useTranslation('published')
  const { id, name, owner, publicAt } = thing
  const title = useId()
  const [isAsking, setAsking] = useState(false)
  return (
    <article className={styles.card} aria-labelledby={title}>
      <h2 id={title}>
        <Link to={to}>{name}</Link>
      </h2>
      <Facts
        facts={[
          [t('owner'), `${owner.nickName} (${owner.account})`],
          [t('publicAt'), formatDate(publicAt, 'minute')],
          ...facts,
        ]}
      />
      <div className={styles.actions}>
        <Button danger onClick={() => setAsking(true)}>
          {t('withdraw')}
        </Button>
      </div>
      {isAsking && <WithdrawDialog kind={kind} id={id} name={name} onClose={() => setAsking(false)} />}
    </article>
  )
}

type WithdrawProps = { kind: Kind; id: string; name: string; onClose: () => void }

function WithdrawDialog({ kind, id, name, onClose }: WithdrawProps) {
  const { t } = useTranslation('published')
  const [reason, setReason] = useState('')
  const options = { quiet: true, onDone: () => toast.success(t('done', { name })) }
  const folder = useAction('office/withdrawFolder', {
    refresh: ['office/publicFolders', 'files/public'],
    ...options,
  })
  const project = useAction('office/withdrawProject', {
    refresh: ['office/publicProjects', 'projects/list'],
    ...options,
  })
  const deed = kind === 'folders' ? folder : project
  return (
    <DeedDialog
      title={t('ask', { name })}
      text={t(`what.${kind}`)}
      saveLabel={t('confirm')}
      isDanger
      isDisabled={reason.trim() === ''}
      error={deed.error}
      onSave={() => deed.mutateAsync({ id, reason: reason.trim() })}
      onClose={onClose}
    >
      <WordsField
        id="withdraw-reason"
        label={t('reason')}
        help={t('reasonHelp')}
        text={reason}
        maxLength={limits.reasonLength}
        isLong
        onText={setReason}
      />
    </DeedDialog>
  )
}
