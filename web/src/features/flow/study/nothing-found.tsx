import type { FlowLook } from '@neuroloom/contract/flow/study'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studiesAddress } from '../address.ts'
import { ProblemList } from '../settle/problem-list.tsx'

/** Files without a single series: there is nothing to settle. */
export function NothingFound({ look }: { look: FlowLook }) {
  const { t } = useTranslation('flow')
  // That there is no velocity is said already.
  const others = look.problems.filter(({ reason }) => reason !== 'no_velocity')
  return (
    <>
      <Alert
        type="warning"
        showIcon
        title={t('nothing.title')}
        description={
          <>
            {t('nothing.text')} <Link to={studiesAddress}>{t('toStudies')}</Link>
          </>
        }
      />
      <ProblemList problems={others} />
    </>
  )
}
