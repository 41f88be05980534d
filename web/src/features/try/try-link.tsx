import type { Run } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

/** The way to `/try`, where this training's network can be tried in the browser. */
export function TryLink({ run }: { run: Run }) {
  const { t } = useTranslation('try')
  const navigate = useNavigate()
  if (!isTriable(run)) return null
  return <Button onClick={() => navigate(`/try?run=${run.id}`)}>{t('open')}</Button>
}

const isTriable = ({ kind, task, artifacts }: Run): boolean =>
  kind === 'train' && task !== 'volume_segmentation' && artifacts.some((one) => one.kind === 'onnx')
