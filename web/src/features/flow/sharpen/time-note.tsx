import type { FlowTrain } from '@neuroloom/contract/flow/sharpen'
import { useCall } from '../../../lib/query.ts'
import { ForeseenTime } from '../../../ui/foreseen-time.tsx'
import { useSettled } from '../../../ui/hooks/use-settled.ts'
import styles from './sharpen.module.css'
import { useRefusal } from './use-refusal.ts'

/** About how long such a training takes here; or why it would be refused. The server works the network out for each question. */
export function TimeNote({ projectId, asked }: { projectId: string; asked: FlowTrain }) {
  const refusalOf = useRefusal()
  const body = { projectId, asked: useSettled(asked) }
  const { data, error } = useCall('flow/forecast', body, { quiet: true, keepPrevious: true })
  // A server that has no time for the question refuses nothing.
  if (error && error.name !== 'busy')
    return (
      <p className={styles.refused} role="alert">
        {refusalOf(error)}
      </p>
    )
  if (!data) return null
  return (
    <p className={styles.soft}>
      <ForeseenTime {...data} />
    </p>
  )
}
