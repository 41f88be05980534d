import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

type Props = {
  memberId: string
  /** For lists, in which several of these stand. */
  name?: string
  onLeave?: () => void
}

/** Leads to the conversation with a friend. */
export function MessageButton({ memberId, name, onLeave }: Props) {
  const { t } = useTranslation('social-people')
  const navigate = useNavigate()
  return (
    <Button
      type={name === undefined ? 'primary' : 'default'}
      aria-label={name === undefined ? undefined : t('do.messageTo', { name })}
      onClick={() => {
        onLeave?.()
        void navigate(`/socialHome?tab=chat&with=${memberId}`)
      }}
    >
      {t('do.message')}
    </Button>
  )
}
