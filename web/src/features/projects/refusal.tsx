import { Alert, Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { CallError, messageOf } from '../../lib/api.ts'
import { UpgradeLink } from '../../ui/limits/upgrade-link.tsx'

/** What the server said no to; at the limit of the membership also what helps. */
export function Refusal({ error }: { error: Error }) {
  const { t } = useTranslation('projects')
  const isLimit = error instanceof CallError && error.name === 'plan_limit'
  return (
    <Form.Item>
      <Alert
        type={isLimit ? 'warning' : 'error'}
        showIcon
        title={isLimit ? t('limit.reached') : messageOf(error)}
        {...(isLimit
          ? {
              description: (
                <>
                  {t('limit.remedy')} <UpgradeLink />
                </>
              ),
            }
          : {})}
      />
    </Form.Item>
  )
}

export const isNameTaken = (error: Error | null): boolean =>
  error instanceof CallError && error.name === 'name_taken'
