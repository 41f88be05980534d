import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction } from '../../lib/query.ts'

type SampleButtonProps = {
  disabled?: boolean
  isLarge?: boolean
  /** Called before the way into the new project. */
  onCreated?: () => void
}

/** For whoever has no folder at hand: a project of drawn cells, ready to be trained. */
export function SampleButton({ disabled = false, isLarge = false, onCreated }: SampleButtonProps) {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const { mutate, isPending } = useAction('samples/create', {
    refresh: ['projects/list', 'files/list'],
    onDone: ({ projectId }) => {
      onCreated?.()
      void navigate(`/projectDetail?id=${projectId}`)
    },
  })
  return (
    <Button
      size={isLarge ? 'large' : undefined}
      disabled={disabled}
      loading={isPending}
      onClick={() => mutate({ kind: 'fields' })}
    >
      {t('sample')}
    </Button>
  )
}
