import { CaretRightFilled, PauseOutlined, RedoOutlined } from '@ant-design/icons'
import type { Run } from '@neuroloom/contract/runs'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
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

/** Queues an ended run once more and leads to the new one; what failed asks for it more loudly. */
export function RerunButton({ run }: { run: Pick<Run, 'id' | 'state'> }) {
  const { t } = useTranslation('queue')
  const navigate = useNavigate()
  const rerun = useAction('runs/rerun', {
    refresh: ['runs/list', 'projects/detail', 'projects/list'],
    onDone: ({ id }) => void navigate(`/run?id=${id}`),
  })
  const hasFailed = run.state === 'failed'
  return (
    <Button
      type={hasFailed ? 'primary' : 'default'}
      icon={<RedoOutlined />}
      loading={rerun.isPending}
      onClick={() => rerun.mutate({ id: run.id })}
    >
      {t(hasFailed ? 'againFailed' : 'again')}
    </Button>
  )
}

/** Stops an open run, after asking. */
export function StopButton({ run }: { run: Pick<Run, 'id' | 'kind' | 'startedAt' | 'stopping'> }) {
  const { t } = useTranslation(['runs', 'queue'])
  const [asking, setAsking] = useState(false)
  const stop = useAction('runs/stop', {
    refresh: ['runs/detail', 'runs/list', 'projects/detail'],
    onDone: () => setAsking(false),
    onFailed: () => setAsking(false),
  })
  const kind = run.kind === 'flow_train' ? 'train' : run.kind
  const text = run.startedAt === null ? 'queued' : run.kind
  return (
    <>
      <Button danger disabled={run.stopping} onClick={() => setAsking(true)}>
        {run.stopping ? t('state.stopping') : t('stop.button')}
      </Button>
      <Modal
        open={asking}
        title={t(`stop.${kind}Title`)}
        onCancel={() => setAsking(false)}
        okText={t('stop.confirm')}
        okButtonProps={{ danger: true, loading: stop.isPending }}
        onOk={() => stop.mutate({ id: run.id })}
        cancelText={t('stop.goOn')}
      >
        <p>{text === 'flow_train' ? t('queue:flowTrain.stop') : t(`stop.${text}Text`)}</p>
      </Modal>
    </>
  )
}
