import type { FlowSummary } from '@neuroloom/contract/flow/calls'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import cards from '../../../ui/card.module.css'
import { studyAddress } from '../address.ts'
import styles from '../flow.module.css'
import { LearnedMark } from '../learned/learned.tsx'
import { sizeText } from '../words.ts'
import { StudyMark } from './study-mark.tsx'
import { StudyMenu } from './study-menu.tsx'
import { useSourceText } from './use-source-text.ts'

export function StudyCard({ study }: { study: FlowSummary }) {
  const { t } = useTranslation('flow')
  const sourceText = useSourceText()
  const { id, name, state, source, size, frames, createdAt } = study
  const about = [
    ...(size ? [t('list.size', { size: sizeText(size) })] : []),
    ...(frames === null ? [] : [t('list.frames', { count: frames, shown: formatNumber(frames) })]),
  ]
  return (
    <li className={cards.card}>
      <div className={cards.head}>
        <div className={cards.names}>
          <Link className={`${cards.link} ${cards.target}`} to={studyAddress(id)}>
            {name}
          </Link>
          <span>{sourceText(source)}</span>
        </div>
        <div className={cards.menu}>
          <StudyMenu study={study} />
        </div>
      </div>
      <div className={styles.marks}>
        <StudyMark state={state} />
        {source === 'sharpened' && <LearnedMark />}
      </div>
      <div className={cards.foot}>
        <span>{about.join(' · ')}</span>
        <time dateTime={createdAt}>{formatDate(createdAt, 'relative')}</time>
      </div>
    </li>
  )
}
