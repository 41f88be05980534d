import type { SocialReport } from '@neuroloom/contract/social/posts'
import { Button, Segmented } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { useAction, usePages } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Loading } from '../../ui/loading.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { ImageRow } from '../../ui/pictures/image-row.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { DeedDialog } from './deed-dialog.tsx'
import styles from './office.module.css'

type Shown = 'open' | 'decided'
const marks = { open: 'asked', removed: 'failed', kept: 'done' } as const satisfies Record<
  SocialReport['state'],
  string
>

/** What members reported in the social centre, first what waits. */
export function SocialReports() {
  const { t } = useTranslation('social-office')
  const [state, setState] = useState<Shown>('open')
  const query = usePages('office/socialReports', { state })
  const reports = query.data?.pages.flatMap((page) => page.reports)
  const openCount = query.data?.pages[0]?.openCount
  return (
    <>
      <Segmented<Shown>
        aria-label={t('which')}
        value={state}
        onChange={setState}
        options={[
          {
            value: 'open',
            label: openCount === undefined ? t('open') : t('openCount', { count: openCount }),
          },
          { value: 'decided', label: t('decided') },
        ]}
      />
      {!reports && query.error && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {!reports && !query.error && <Loading shape="cards" count={2} />}
      {reports?.length === 0 && <EmptyState title={t(`empty.${state}`)} text={t('empty.text')} />}
      <ul className={styles.cards} aria-label={t('title')}>
        {reports?.map((report) => (
          <li key={report.id}>
            <ReportCard report={report} />
          </li>
        ))}
      </ul>
      <MoreButton query={query} />
    </>
  )
}

type Decision = 'remove' | 'keep'

function ReportCard({ report }: { report: SocialReport }) {
  const { t } = useTranslation('social-office')
  const title = useId()
  const [decision, setDecision] = useState<Decision | null>(null)
  const { kind, reason, content, state, decidedAt } = report
  const nameOf = ({ nickName }: SocialReport['about']) => (nickName === '' ? t('closedAccount') : nickName)
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{t('card', { kind: t(`kind.${kind}`), reason: t(`reason.${reason}`) })}</h2>
        <span className={styles.spring} />
        <StateMark state={marks[state]} text={t(`state.${state}`)} />
      </header>
      <blockquote className={styles.quote} aria-label={t('content')}>
        {content === '' ? t('noContent') : content}
        <Reported report={report} />
      </blockquote>
      <Facts
        facts={[
          [t('about'), nameOf(report.about)],
          [t('reporter'), nameOf(report.reporter)],
          [t('words'), report.text],
          [t('at'), formatDate(report.at, 'minute')],
          [t('decidedAt'), decidedAt === null ? null : formatDate(decidedAt, 'minute')],
        ]}
      />
      {state === 'open' && (
        <div className={styles.actions}>
          <Button danger onClick={() => setDecision('remove')}>
            {t(`remove.${kind}`)}
          </Button>
          <Button onClick={() => setDecision('keep')}>{t('keep')}</Button>
        </div>
      )}
      {decision && <DecisionDialog report={report} decision={decision} onClose={() => setDecision(null)} />}
    </article>
  )
}

/** What went with it. Images are kept, also where their sender took them back; cards open as far as the reader may see. */
function Reported({ report: { about, attachments } }: { report: SocialReport }) {
  const { t } = useTranslation('social-office')
  const images = attachments.flatMap(({ attachment, opened }) =>
    attachment.kind === 'image' ? [{ ...attachment, opened }] : [],
  )
  const cards = attachments.filter(({ attachment: { kind } }) => kind !== 'image')
  return (
    <>
      {images.length > 0 && (
        <ImageRow
          goneText={t('gone')}
          images={images.map(({ id, width, height, opened }, index) => ({
            ...{ id, width, height, label: t('enlarge', { number: index + 1, name: about.nickName }) },
            urls: opened?.kind === 'image' ? { preview: opened.previewUrl, whole: opened.url } : null,
          }))}
        />
      )}
      {cards.length > 0 && (
        <ul aria-label={t('cards')}>
          {cards.map(({ attachment, opened }) => (
            <li key={`${attachment.kind} ${attachment.id}`}>
              <ReportedCard attachment={attachment} opened={opened} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function ReportedCard({ attachment, opened }: SocialReport['attachments'][number]) {
  const { t } = useTranslation(['social-office', 'social-attachments', 'runs'])
  const kind = t(`social-attachments:of.${attachment.kind === 'card' ? attachment.of : 'file'}`)
  if (opened?.kind === 'file') return t('cardLine', { kind, name: opened.name })
  if (opened?.kind !== 'card') return t('cardLine', { kind, name: t('cardClosed') })
  const { page, run, name } = opened
  const said = t('cardLine', { kind, name: run ? t(`runs:list.${run.kind}`, { number: run.number }) : name })
  return page ? <Link to={`/${page.path}?id=${encodeURIComponent(page.id)}`}>{said}</Link> : said
}

type DecisionProps = { report: SocialReport; decision: Decision; onClose: () => void }

function DecisionDialog({ report: { id, kind }, decision, onClose }: DecisionProps) {
  const { t } = useTranslation('social-office')
  const decide = useAction('office/decideSocialReport', {
    refresh: ['office/socialReports'],
    quiet: true,
    onDone: () => toast.success(t('done')),
  })
  const isRemoval = decision === 'remove'
  return (
    <DeedDialog
      title={t(isRemoval ? `remove.${kind}` : 'keep')}
      text={t(isRemoval ? `removeText.${kind}` : 'keepText')}
      saveLabel={t(isRemoval ? 'removeConfirm' : 'keepConfirm')}
      isDanger={isRemoval}
      isDisabled={false}
      error={decide.error}
      onSave={() => decide.mutateAsync({ reportId: id, decision })}
      onClose={onClose}
    >
      {null}
    </DeedDialog>
  )
}
