import type { Modules as ModuleList, ModuleName } from '@neuroloom/contract/office/modules'
import { Button } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { DeedDialog } from './deed-dialog.tsx'
import styles from './office.module.css'

const refresh = ['office/modules', 'setting/public'] as const

/** Parts of the product that are switched off and on for everybody, while the server runs. */
export function Modules() {
  const { t } = useTranslation('modules')
  const { data, error, refetch } = useCall('office/modules', {}, { quiet: true })
  if (!data)
    return error ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Loading shape="cards" count={3} />
    )
  return (
    <>
      <p className={styles.lead}>{t('text')}</p>
      <ul className={styles.cards} aria-label={t('title')}>
        {data.modules.map((one) => (
          <li key={one.name}>
            <ModuleCard module={one} />
          </li>
        ))}
      </ul>
    </>
  )
}

function ModuleCard({ module: { name, isOff, since } }: { module: ModuleList[number] }) {
  const { t } = useTranslation('modules')
  const title = useId()
  const [isAsking, setAsking] = useState(false)
  const turnOn = useAction('office/switchModule', {
    refresh: [...refresh],
    onDone: () => toast.success(t('done.on', { name: t(`name.${name}`) })),
  })
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{t(`name.${name}`)}</h2>
        <span className={styles.spring} />
        <StateMark state={isOff ? 'cancelled' : 'done'} text={t(isOff ? 'off' : 'on')} />
      </header>
      <p>{t(`what.${name}`)}</p>
      {since !== null && <p className={styles.help}>{t('since', { at: formatDate(since, 'minute') })}</p>}
      <div className={styles.actions}>
        {isOff ? (
          <Button
            type="primary"
            loading={turnOn.isPending}
            onClick={() => turnOn.mutate({ name, isOff: false })}
          >
            {t('switchOn')}
          </Button>
        ) : (
          <Button danger onClick={() => setAsking(true)}>
            {t('switchOff')}
          </Button>
        )}
      </div>
      {isAsking && <OffDialog name={name} onClose={() => setAsking(false)} />}
    </article>
  )
}

/** Says what goes on nevertheless. */
function OffDialog({ name, onClose }: { name: ModuleName; onClose: () => void }) {
  const { t } = useTranslation('modules')
  const turnOff = useAction('office/switchModule', {
    refresh: [...refresh],
    quiet: true,
    onDone: () => toast.success(t('done.off', { name: t(`name.${name}`) })),
  })
  const save = async () => {
    await turnOff.mutateAsync({ name, isOff: true })
  }
  return (
    <DeedDialog
      title={t('ask', { name: t(`name.${name}`) })}
      text={t(`goesOn.${name}`)}
      saveLabel={t('confirm')}
      isDanger
      isDisabled={false}
      error={turnOff.error}
      onSave={save}
      onClose={onClose}
    >
      {null}
    </DeedDialog>
  )
}
