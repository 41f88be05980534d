import { PlusOutlined } from '@ant-design/icons'
import type { Partner } from '@neuroloom/contract/accounts/partners'
import { partners as limits } from '@neuroloom/contract/limits'
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { firstField } from '../../ui/first-field.ts'
import tools from '../../ui/list.module.css'
import { Loading } from '../../ui/loading.tsx'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import { PartnerCard } from './partner-card.tsx'
import { type GivenSecret, SecretShown } from './partner-secret.tsx'
import styles from './partners.module.css'

/** Other systems that may sign their members in by links. */
export function Partners() {
  const { t } = useTranslation('partners')
  const [isMaking, setMaking] = useState(false)
  const [given, setGiven] = useState<GivenSecret | null>(null)
  const { data, error, refetch } = useCall('partners/list', {}, { quiet: true })
  return (
    <>
      <p>{t('text')}</p>
      <div className={tools.tools}>
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setMaking(true)}>
          {t('new')}
        </Button>
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.partners.length === 0 && <EmptyState title={t('empty.title')} text={t('empty.text')} />}
      <ul className={styles.cards} aria-label={t('title')}>
        {data?.partners.map((partner) => (
          <li key={partner.id}>
            <PartnerCard partner={partner} onSecret={setGiven} />
          </li>
        ))}
      </ul>
      {isMaking && <NewPartner onMade={setGiven} onClose={() => setMaking(false)} />}
      {given && <SecretShown given={given} onClose={() => setGiven(null)} />}
    </>
  )
}

type NewPartnerProps = {
  onMade: (made: { partner: Partner; secret: string }) => void
  onClose: () => void
}

function NewPartner({ onMade, onClose }: NewPartnerProps) {
  const { t } = useTranslation('partners')
  const [name, setName] = useState('')
  const create = useAction('partners/create', { refresh: ['partners/list'], quiet: true, onDone: onMade })
  return (
    <SaveDialog
      title={t('new')}
      saveLabel={t('make')}
      isDisabled={name.trim() === ''}
      onSave={() => create.mutateAsync({ name: name.trim() })}
      onClose={onClose}
    >
      <Form layout="vertical" requiredMark={false}>
        <Form.Item
          label={t('name')}
          htmlFor="partner-name"
          extra={t('nameHelp')}
          validateStatus={create.isError ? 'error' : ''}
          help={create.isError ? messageOf(create.error) : undefined}
        >
          <Input
            id="partner-name"
            ref={firstField}
            autoComplete="off"
            maxLength={limits.nameLength}
            value={name}
            onChange={({ target }) => {
              setName(target.value)
              create.reset()
            }}
          />
        </Form.Item>
      </Form>
    </SaveDialog>
  )
}
