import type { Answer } from '@neuroloom/contract/calls'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { computeAddress, studyAddress } from '../address.ts'
import { LearnedMark } from '../learned/learned.tsx'
import { StudyMark } from '../studies/study-mark.tsx'
import { useSourceText } from '../studies/use-source-text.ts'
import { sizeText } from '../words.ts'
import styles from './project.module.css'

export type ProjectStudy = Answer<'flow/projectStudies'>['studies'][number]

type Props = { study: ProjectStudy; projectId: string; mayChange: boolean }

/** A study in a project, and the next thing that can be done with it. */
export function StudyRow({ study, projectId, mayChange }: Props) {
  const { t } = useTranslation(['flow-project', 'flow'])
  const sourceText = useSourceText()
  const { id, name, state, source, size, frames, isOwn } = study
  const about = [
    sourceText(source),
    ...(size ? [t('studies.count', { size: sizeText(size) })] : []),
    ...(frames === null ? [] : [t('flow:list.frames', { count: frames, shown: formatNumber(frames) })]),
  ]
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        {/* Studies of others are seen through what is computed on them. */}
        {isOwn ? <Link to={studyAddress(id, projectId)}>{name}</Link> : <strong>{name}</strong>}
        <span className={styles.soft}>{about.join(' · ')}</span>
      </div>
      <span className={styles.marks}>
        {source === 'sharpened' && <LearnedMark />}
        <StudyMark state={state} />
      </span>
      {mayChange && (
        <div className={styles.rowActions}>
          <NextStep study={study} projectId={projectId} />
          <TakeOut id={id} name={name} projectId={projectId} />
        </div>
      )}
    </li>
  )
}

function NextStep({ study, projectId }: Omit<Props, 'mayChange'>) {
  const { t } = useTranslation('flow-project')
  const navigate = useNavigate()
  const { id, name, state, isOwn } = study
  if (state === 'ready')
    return (
      <Button
        aria-label={t('studies.computeOf', { name })}
        onClick={() => void navigate(computeAddress({ projectId, studyId: id }))}
      >
        {t('studies.compute')}
      </Button>
    )
  if (!isOwn) return null
  if (state === 'asked') return <Link to={studyAddress(id, projectId)}>{t('studies.settle')}</Link>
  return state === 'failed' ? <Link to={studyAddress(id, projectId)}>{t('studies.why')}</Link> : null
}

function TakeOut({ id, name, projectId }: { id: string; name: string; projectId: string }) {
  const { t } = useTranslation('flow-project')
  const [isAsking, setAsking] = useState(false)
  const take = useAction('flow/takeFromProject', {
    refresh: ['flow/projectStudies', 'projects/detail', 'projects/list'],
  })
  return (
    <>
      <Button type="text" aria-label={t('studies.takeOutOf', { name })} onClick={() => setAsking(true)}>
        {t('studies.takeOut')}
      </Button>
      <ConfirmRemove
        open={isAsking}
        title={t('studies.takeOutTitle', { name })}
        text={t('studies.takeOutText')}
        confirmLabel={t('studies.takeOut')}
        onConfirm={() => take.mutateAsync({ projectId, studyId: id })}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
