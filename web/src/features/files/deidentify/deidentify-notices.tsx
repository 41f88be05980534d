import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import styles from './deidentify.module.css'
import { RefusedDialog } from './refused-dialog.tsx'
import { deidentification, type Summary, useDeidentification } from './state.ts'

/** The question about files that resist; there whether the list of uploads is folded away or not. */
export function DeidentifyQuestion() {
  const { question } = useDeidentification()
  return question && <RefusedDialog files={question} />
}

/** What came of the DICOM files of the last uploads. */
export function DeidentifySummary() {
  const { summary } = useDeidentification()
  return summary && <Done summary={summary} />
}

function Done({ summary }: { summary: Summary }) {
  const { t } = useTranslation('deidentify')
  const { treated, burnedIn, renamed, leftOut, sentAsTheyAre } = summary
  const isCareful = burnedIn.length > 0 || sentAsTheyAre > 0
  const shown = (count: number) => ({ count, shown: formatNumber(count) })
  return (
    <div className={styles.notice}>
      <Alert
        type={isCareful ? 'warning' : 'success'}
        showIcon
        closable={{
          closeIcon: true,
          'aria-label': t('summary.close'),
          onClose: () => deidentification.clear(),
        }}
        title={<span className={styles.title}>{t('summary.treated', shown(treated))}</span>}
        description={
          <>
            {renamed > 0 && <p>{t('summary.renamed', shown(renamed))}</p>}
            {leftOut > 0 && <p>{t('summary.leftOut', shown(leftOut))}</p>}
            {sentAsTheyAre > 0 && <p>{t('summary.sentAsTheyAre', shown(sentAsTheyAre))}</p>}
            {burnedIn.length > 0 && <BurnedIn paths={burnedIn} />}
          </>
        }
      />
    </div>
  )
}

/** Names shown at a time: a series has hundreds. */
const shownPaths = 50

function BurnedIn({ paths }: { paths: string[] }) {
  const { t } = useTranslation('deidentify')
  const [isOpen, setIsOpen] = useState(false)
  const more = paths.length - shownPaths
  return (
    <>
      <p>{t('summary.burnedIn', { count: paths.length, shown: formatNumber(paths.length) })}</p>
      <Button type="link" size="small" className={styles.link ?? ''} onClick={() => setIsOpen(!isOpen)}>
        {t(isOpen ? 'summary.hide' : 'summary.show')}
      </Button>
      {isOpen && (
        <ul className={styles.paths}>
          {paths.slice(0, shownPaths).map((path) => (
            <li key={path}>{path}</li>
          ))}
          {more > 0 && <li>{t('more', { count: more, shown: formatNumber(more) })}</li>}
        </ul>
      )}
    </>
  )
}
