import type { TextScan } from '@neuroloom/contract/burned-in'
import { Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction } from '../../../lib/query.ts'

const refresh = ['files/textPictures', 'files/textScans'] as const

/** What can be done with a search as a whole. */
export function ScanActions({ scan: { id, state, failedPictures } }: { scan: TextScan }) {
  const { t } = useTranslation('texts')
  const navigate = useNavigate()
  const cancel = useAction('files/cancelTexts', { refresh })
  const retry = useAction('files/retryTexts', { refresh })
  const forget = useAction('files/forgetTexts', {
    refresh: ['files/textScans'],
    onDone: () => void navigate('/cloudTexts'),
  })
  if (state === 'waiting' || state === 'running')
    return (
      <Button loading={cancel.isPending} onClick={() => cancel.mutate({ id })}>
        {t('cancel')}
      </Button>
    )
  return (
    <>
      {(state !== 'done' || failedPictures > 0) && (
        <Button loading={retry.isPending} onClick={() => retry.mutate({ id })}>
          {t('retry')}
        </Button>
      )}
      <Popconfirm
        title={t('forgetAsk')}
        description={t('forgetText')}
        okText={t('forget')}
        cancelText={t('keep')}
        onConfirm={() => forget.mutate({ id })}
      >
        <Button danger loading={forget.isPending}>
          {t('forget')}
        </Button>
      </Popconfirm>
    </>
  )
}
