import type { EndedRun } from '@neuroloom/contract/runs'
import { App, Button } from 'antd'
import type { TFunction } from 'i18next'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type NavigateFunction, useNavigate } from 'react-router'
import { textParams } from '../../lib/text-params.ts'
import styles from './news.module.css'
import {
  canTellInBackground,
  startTellingInBackground,
  stopTellingInBackground,
  tellOnce,
  tellsInBackground,
} from './told-runs.ts'

/** Long enough to read two sentences and to reach the button. */
const SHOWN_SECONDS = 15

type Props = {
  userId: string
  news: readonly EndedRun[]
  onTold: (told: readonly EndedRun[]) => void
}
type Words = TFunction<['queue', 'runs']>

/** Hands each piece of news to the page's corner, or to the browser where nobody looks at the page. Draws nothing itself. */
export function NewsCards({ userId, news, onTold }: Props) {
  const { t } = useTranslation(['queue', 'runs', 'results'])
  const { notification } = App.useApp()
  const navigate = useNavigate()

  useEffect(() => {
    if (news.length === 0) return
    for (const run of news) {
      if (document.hidden) tellInBackground(run, { t, navigate })
      else {
        notification[kinds[run.state] ?? 'info']({
          key: run.id,
          title: titleOf(run, t),
          description: reasonOf(run, t),
          placement: 'bottomRight',
          duration: SHOWN_SECONDS,
          role: run.state === 'failed' ? 'alert' : 'status',
          actions: (
            <Actions
              t={t}
              userId={userId}
              onOpen={() => {
                notification.destroy(run.id)
                void navigate(`/run?id=${run.id}`)
              }}
              onDone={() => notification.destroy(run.id)}
            />
          ),
        })
      }
    }
    onTold(news)
  }, [news, notification, navigate, onTold, t, userId])
  return null
}

const kinds: Partial<Record<EndedRun['state'], 'success' | 'error' | 'warning'>> = {
  done: 'success',
  failed: 'error',
  stopped: 'warning',
}

type ActionsProps = { t: Words; userId: string; onOpen: () => void; onDone: () => void }

function Actions({ t, userId, onOpen, onDone }: ActionsProps) {
  const isOn = tellsInBackground(userId)
  const handleBackground = () => {
    if (isOn) stopTellingInBackground()
    else void startTellingInBackground(userId)
    onDone()
  }
  return (
    <span className={styles.actions}>
      <Button type="primary" size="small" onClick={onOpen}>
        {t('news.open')}
      </Button>
      {canTellInBackground() ? (
        <Button type="link" size="small" className={styles.background ?? ''} onClick={handleBackground}>
          {t(isOn ? 'news.noBackground' : 'news.background')}
        </Button>
      ) : null}
    </span>
  )
}

function tellInBackground(run: EndedRun, { t, navigate }: { t: Words; navigate: NavigateFunction }): void {
  // The same tag in another window takes the place of this one.
  const shown = new Notification(titleOf(run, t), { body: reasonOf(run, t), tag: run.id })
  tellOnce(run.id)
  shown.onclick = () => {
    window.focus()
    shown.close()
    void navigate(`/run?id=${run.id}`)
  }
}

const titleOf = ({ kind, number, project, state }: EndedRun, t: Words): string => {
  const name = t(`news.${kind}`, { number, project })
  return t('news.ended', { name, context: state })
}

function reasonOf({ error }: EndedRun, t: Words): string {
  return error === null ? '' : t(`results:runError.${error.code}.what`, textParams(error.params))
}
