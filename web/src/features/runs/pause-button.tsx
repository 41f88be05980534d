import { CaretRightFilled, PauseOutlined } from '@ant-design/icons'
import type { Run } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'

const refresh = ['runs/detail', 'runs/list', 'projects/detail'] as const

/** Pauses an open run, or lets a paused one go on. Nothing is lost by either, so neither asks. */
export function PauseButton({ run }: { run: Pick<Run, 'id' | 'state' | 'pausing' | 'stopping'> }) {
  const { t } = useTranslation('queue')
  const pause = useAction('runs/pause', { refresh })
  const resume = useAction('runs/resume', { refresh })
  if (run.stopping) return null
  if (run.state === 'paused') {
    return (
      <Button
        type="primary"
        icon={<CaretRightFilled />}
        loading={resume.isPending}
        onClick={() => resume.mutate({ id: run.id })}
      >
        {t('resume')}
      </Button>
    )
  }
  return (
    <Button
      icon={<PauseOutlined />}
      disabled={run.pausing}
      loading={pause.isPending}
      onClick={() => pause.mutate({ id: run.id })}
    >
      {run.pausing ? t('pausing') : t('pause')}
    </Button>
  )
}
