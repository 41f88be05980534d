import type { Run } from '@neuroloom/contract/runs'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'

/** Stops an open run, after asking. */
export function StopButton({ run }: { run: Pick<Run, 'id' | 'kind' | 'startedAt' | 'stopping'> }) {
  const { t } = useTranslation('runs')
  const [asking, setAsking] = useState(false)
  const stop = useAction('runs/stop', {
    refresh: ['runs/detail', 'runs/list', 'projects/detail'],
    onDone: () => setAsking(false),
    onFailed: () => setAsking(false),
  })
  const text = run.startedAt === null ? 'queued' : run.kind
  return (
    <>
      <Button danger disabled={run.stopping} onClick={() => setAsking(true)}>
        {run.stopping ? t('state.stopping') : t('stop.button')}
      </Button>
      <Modal
        open={asking}
        title={t(`stop.${run.kind}Title`)}
        onCancel={() => setAsking(false)}
        okText={t('stop.confirm')}
        okButtonProps={{ danger: true, loading: stop.isPending }}
        onOk={() => stop.mutate({ id: run.id })}
        cancelText={t('stop.goOn')}
      >
        <p>{t(`stop.${text}Text`)}</p>
      </Modal>
    </>
  )
}
