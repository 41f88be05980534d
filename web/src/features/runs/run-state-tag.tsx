import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  PauseCircleFilled,
  StopFilled,
  SyncOutlined,
} from '@ant-design/icons'
import type { Run } from '@neuroloom/contract/runs'
import { Tag } from 'antd'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

const looks = {
  queued: { color: 'default', icon: <ClockCircleOutlined /> },
  running: { color: 'processing', icon: <SyncOutlined spin /> },
  paused: { color: 'default', icon: <PauseCircleFilled /> },
  done: { color: 'success', icon: <CheckCircleFilled /> },
  stopped: { color: 'warning', icon: <StopFilled /> },
  failed: { color: 'error', icon: <CloseCircleFilled /> },
} as const satisfies Record<Run['state'], unknown>

/** The state of a run in one word, with a sign beside the colour. */
export function RunStateTag({ run }: { run: Pick<Run, 'state' | 'stopping' | 'pausing' | 'position'> }) {
  const { t } = useTranslation('runs')
  const { color, icon } = looks[run.state]
  return (
    <Tag color={color} icon={icon}>
      {runStateText(run, t)}
    </Tag>
  )
}

/** The same word alone. */
export function runStateText(
  { state, stopping, pausing, position }: Pick<Run, 'state' | 'stopping' | 'pausing' | 'position'>,
  t: TFunction<'runs'>,
): string {
  if (stopping) return t('state.stopping')
  if (pausing) return t('state.pausing')
  if (state === 'queued' && position !== null) return t('state.queuedAt', { position })
  return t(`state.${state}`)
}
