import { CheckCircleFilled, CloseOutlined, ExclamationCircleFilled, FileZipOutlined } from '@ant-design/icons'
import type { Unpack } from '@neuroloom/contract/uploads'
import { Button, Progress } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { IconButton } from '../icon-button.tsx'
import styles from '../upload/upload-panel.module.css'
import type { Unpacks } from './use-unpacks.ts'

/** An archive that the server unpacks: how far it is, and what came of it. */
export function UnpackCard({ unpack, all }: { unpack: Unpack; all: Unpacks }) {
  const { t } = useTranslation(['uploads', 'files'])
  const { name, state, folderId, leftOutCount, renamed } = unpack
  const isOpen = state === 'waiting' || state === 'working'
  const share = unpack.totalBytes > 0 ? unpack.doneBytes / unpack.totalBytes : 0
  return (
    <article className={styles.job} aria-label={t('unpack.of', { name })}>
      <div className={styles.jobHead}>
        <span className={styles.jobIcon} data-state={state === 'failed' ? 'refused' : state} aria-hidden>
          <UnpackIcon state={state} />
        </span>
        <div className={styles.jobNames}>
          <strong title={name}>{t('unpack.of', { name })}</strong>
          <span>{countsOf(unpack, t)}</span>
        </div>
        {isOpen ? (
          <IconButton
            label={t('unpack.stopOf', { name })}
            hint={t('unpack.stop')}
            icon={<CloseOutlined aria-hidden />}
            onClick={() => all.stop(unpack.id)}
          />
        ) : (
          <IconButton
            label={t('unpack.dismissOf', { name })}
            hint={t('unpack.dismiss')}
            icon={<CloseOutlined aria-hidden />}
            onClick={() => all.dismiss([unpack.id])}
          />
        )}
      </div>
      {isOpen && (
        <Progress
          percent={Math.floor(share * 1000) / 10}
          showInfo={false}
          size="small"
          status="active"
          aria-label={t('unpack.progressOf', { name })}
        />
      )}
      {unpack.namesIn && !isOpen && !unpack.failure && (
        <p className={styles.waitingText}>
          {t('names.readIn', { alphabet: t(`files:encoding.${unpack.namesIn}`) })}
        </p>
      )}
      {unpack.failure && <p className={styles.waitingText}>{failureText(unpack, t)}</p>}
      {(leftOutCount > 0 || renamed.length > 0) && !isOpen && <UnpackReport unpack={unpack} />}
      {folderId && !isOpen && (
        <div className={styles.waitingButtons}>
          <Link to={`/cloudFile?id=${folderId}`}>{t('unpack.open')}</Link>
        </div>
      )}
    </article>
  )
}

function UnpackIcon({ state }: { state: Unpack['state'] }) {
  if (state === 'failed') return <ExclamationCircleFilled aria-hidden />
  return state === 'done' ? <CheckCircleFilled aria-hidden /> : <FileZipOutlined aria-hidden />
}

/** Everything that was left out or got another name, each with its reason. */
function UnpackReport({ unpack }: { unpack: Unpack }) {
  const { t } = useTranslation('uploads')
  const [isShown, setShown] = useState(false)
  const { leftOut, leftOutCount, renamed } = unpack
  const more = leftOutCount - leftOut.length
  return (
    <section className={styles.failures}>
      <header>
        <strong>
          {leftOutCount > 0
            ? t('unpack.leftOut', { count: leftOutCount, shown: formatNumber(leftOutCount) })
            : t('unpack.renamed', { count: renamed.length, shown: formatNumber(renamed.length) })}
        </strong>
        <Button size="small" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {t(isShown ? 'unpack.hide' : 'unpack.show')}
        </Button>
      </header>
      {isShown && (
        <ul>
          {leftOut.map(({ path, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an archive may hold one name twice, and the list never changes
            <li key={index}>
              <b>{path}</b>
              <span>{t(`unpack.reason.${reason}`)}</span>
            </li>
          ))}
          {more > 0 && <li>{t('look.more', { count: more, shown: formatNumber(more) })}</li>}
          {renamed.map(({ path, name }) => (
            <li key={`${path} ${name}`}>
              <b>{path}</b>
              <span>{t('unpack.renamedTo', { name })}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type Translate = ReturnType<typeof useTranslation<'uploads'>>['t']

function countsOf({ state, doneFiles, totalFiles, doneBytes }: Unpack, t: Translate): string {
  if (state === 'waiting') return t('unpack.waiting')
  if (state === 'working' && totalFiles === 0) return t('unpack.reading')
  const done = formatNumber(doneFiles)
  if (state === 'working')
    return t('unpack.counts', { count: totalFiles, done, total: formatNumber(totalFiles) })
  return doneFiles > 0
    ? t('unpack.done', { count: doneFiles, done, size: formatBytes(doneBytes) })
    : t('unpack.nothing')
}

function failureText({ failure, params }: Unpack, t: Translate): string {
  const { limit = 0, limitBytes = 0, neededBytes = 0 } = params
  const shown = {
    limit: formatNumber(limit),
    limitBytes: formatBytes(limitBytes),
    neededBytes: formatBytes(neededBytes),
  }
  return t(`unpack.failure.${failure ?? 'internal'}`, shown)
}
