import type { FlowDirectionCheck, FlowRun, FlowTurn } from '@neuroloom/contract/flow/run'
import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import { isSameTurn, recorded } from '@neuroloom/contract/flow/turn'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import styles from './run.module.css'

const isTaken = ({ best, taken }: FlowDirectionCheck): boolean => isSameTurn(best, taken)
const ratioText = ({ ratio }: FlowDirectionCheck): string => formatNumber(ratio, 2)

type Props = { detail: FlowRunDetail; mayChange: boolean }

/** Above all results: the directions are surely others than those that were taken. Nothing is turned without a press. */
export function DirectionsNotice({ detail, mayChange }: Props) {
  const { t } = useTranslation('flow-run')
  const navigate = useNavigate()
  const start = useAction('flow/start', {
    refresh: ['runs/list', 'projects/detail', 'projects/list'],
    onDone: ({ id }) => void navigate(`/run?id=${encodeURIComponent(id)}`),
  })
  const { asked, results, run, study } = detail
  const check = results?.directions ?? null
  if (check === null || !check.isSure || isTaken(check)) return null
  const studyId = study.id
  const turnAndStart = (id: string) =>
    start.mutate({ projectId: run.projectId, studyId: id, asked: turned(asked, check.best) })
  return (
    <Alert
      type="warning"
      showIcon
      title={t('directions.wrongTitle')}
      description={
        <div className={styles.words}>
          <p>{t('directions.wrong', { ratio: ratioText(check) })}</p>
          {mayChange && studyId !== null && (
            <Button type="primary" loading={start.isPending} onClick={() => turnAndStart(studyId)}>
              {t('directions.turn')}
            </Button>
          )}
          {mayChange && studyId === null && <p>{t('directions.gone')}</p>}
        </div>
      }
    />
  )
}

/** The same run with other directions; those of the recording are none to turn. */
function turned(asked: FlowRun, { order, signs }: FlowTurn): FlowRun {
  const turn = isSameTurn({ order, signs }, recorded) ? null : { order, signs }
  return { ...asked, corrections: { ...asked.corrections, turn } }
}

/** How sure the directions are. */
export function DirectionsText({ check }: { check: FlowDirectionCheck | null }) {
  const { t } = useTranslation('flow-run')
  if (check === null) return <p>{t('directions.none')}</p>
  const ratio = ratioText(check)
  if (!check.isSure) return <p>{t('directions.unsure', { ratio })}</p>
  return <p>{t(isTaken(check) ? 'directions.fine' : 'directions.wrong', { ratio })}</p>
}
