import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import styles from './try.module.css'
import type { TryState } from './use-try.ts'

/** What is going on, for eyes and for screen readers. */
export function Progress({ state, onStop }: { state: TryState; onStop: () => void }) {
  const { t } = useTranslation('try')
  const { facts, loaded, isBusy, part, failure, milliseconds, answer } = state
  if (failure !== null) return null
  const share = facts === null ? loaded : part ? part.done / part.of : null
  return (
    <div className={styles.state}>
      <span role="status">{words()}</span>
      {share === null ? null : <progress value={share} max={1} aria-label={words()} />}
      {isBusy && facts !== null ? (
        <Button look="quiet" onClick={onStop}>
          {t('stop')}
        </Button>
      ) : null}
    </div>
  )

  function words(): string {
    if (facts === null) return t('loading')
    if (isBusy) return part ? t('part', part) : t('busy')
    if (answer === null) return t('ready')
    return milliseconds < SHORT_MS ? t('doneAtOnce') : t('done', { seconds: milliseconds / 1000 })
  }
}

/** Less would be written as nothing. */
const SHORT_MS = 100
