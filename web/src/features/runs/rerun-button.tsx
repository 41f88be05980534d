import { RedoOutlined } from '@ant-design/icons'
import type { Run } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction } from '../../lib/query.ts'

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
