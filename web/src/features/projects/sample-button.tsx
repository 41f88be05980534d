import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction } from '../../lib/query.ts'

/** For whoever has no folder at hand: a project of drawn cells, ready to be trained. */
export function SampleButton({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const { mutate, isPending } = useAction('samples/create', {
    refresh: ['projects/list', 'files/list'],
    onDone: ({ projectId }) => void navigate(`/projectDetail?id=${projectId}`),
  })
  return (
    <Button disabled={disabled} loading={isPending} onClick={() => mutate({ kind: 'fields' })}>
      {t('sample')}
    </Button>
  )
}
