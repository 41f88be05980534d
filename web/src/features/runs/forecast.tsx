import type { Suggestion } from '@neuroloom/contract/runs'
import type { Task } from '@neuroloom/contract/task'
import { foreseenSeconds } from '../../lib/foreseen.ts'
import { ForeseenTime } from '../../ui/foreseen-time.tsx'
import styles from './train/settings.module.css'
import { changesOf, type Draft, errorsOf } from './train/settings-draft.ts'

type Props = { suggestion: Suggestion; task: Task; draft: Draft }

/** About how long the training will take with the settings as they are now; a range where nothing like it ended here yet. */
export function Forecast({ suggestion, task, draft }: Props) {
  const seconds = forecastOf({ suggestion, task, draft })
  if (seconds === null) return null
  return (
    <p className={styles.forecast}>
      <ForeseenTime seconds={seconds} isSure={suggestion.forecastIsSure} />
    </p>
  )
}

/** The suggestion's forecast, stretched by what the member changed; null while a setting is wrong. */
export function forecastOf({ suggestion, task, draft }: Props): number | null {
  if (Object.keys(errorsOf(draft)).length > 0) return null
  const changes = changesOf(draft, suggestion)
  const hyper = { ...suggestion.hyper, ...changes.hyper }
  return foreseenSeconds(suggestion, task, { hyper, validation: changes.validation ?? suggestion.validation })
}
