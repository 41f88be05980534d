import type { Answer } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import type { CardField } from '@neuroloom/contract/social/people'
import { Button, Checkbox, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAction, useCall } from '../../../lib/query.ts'
import { useUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { BlockedDialog } from './blocked-dialog.tsx'
import { MemberCard } from './member-card.tsx'
import styles from './people.module.css'

type Choice = Answer<'social/ownCard'>

/** The contract’s own list comes with schemas that must not reach the browser; the type keeps both equal. */
const fields: Record<CardField, true> = {
  name: true,
  institution: true,
  department: true,
  occupation: true,
  country: true,
  email: true,
}
const fieldNames = Object.keys(fields).filter((name): name is CardField => name in fields)

/** What others see of oneself: nothing of the profile unless it is chosen here. */
export function OwnCard() {
  const { t } = useTranslation('social-people')
  const userId = useUser()?.id ?? ''
  const { data, error, refetch } = useCall('social/ownCard', {}, { quiet: true })
  const [opened, setOpened] = useState<'card' | 'blocked' | null>(null)
  if (!data)
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape="rows" />
  return (
    <div className={styles.stack}>
      <OwnCardForm key={JSON.stringify(data)} saved={data} />
      <div className={styles.quietActions}>
        <Button type="link" size="small" onClick={() => setOpened('card')}>
          {t('own.preview')}
        </Button>
        <Button type="link" size="small" onClick={() => setOpened('blocked')}>
          {t('own.blocked')}
        </Button>
      </div>
      {opened === 'card' && <MemberCard memberId={userId} onClose={() => setOpened(null)} />}
      {opened === 'blocked' && <BlockedDialog onClose={() => setOpened(null)} />}
    </div>
  )
}

function OwnCardForm({ saved }: { saved: Choice }) {
  const { t } = useTranslation(['social-people', 'common'])
  const [choice, setChoice] = useState(saved)
  const introduction = useId()
  const save = useAction('social/editCard', {
    refresh: ['social/ownCard', 'social/card'],
    onDone: () => toast.success(t('own.saved')),
  })
  const change = (changes: Partial<Choice>) => setChoice({ ...choice, ...changes })
  const isChanged = JSON.stringify(choice) !== JSON.stringify(saved)
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ ...choice, introduction: choice.introduction.trim() })
      }}
    >
      <label htmlFor={introduction}>{t('own.introduction')}</label>
      <Input.TextArea
        id={introduction}
        maxLength={limits.introductionLength}
        autoSize={{ minRows: 2, maxRows: 6 }}
        placeholder={t('own.example')}
        value={choice.introduction}
        onChange={({ target }) => change({ introduction: target.value })}
      />
      <fieldset className={styles.choices}>
        <legend>{t('own.shown')}</legend>
        {fieldNames.map((name) => (
          <Checkbox
            key={name}
            checked={choice.shown.includes(name)}
            onChange={({ target }) =>
              change({
                shown: fieldNames.filter((one) =>
                  one === name ? target.checked : choice.shown.includes(one),
                ),
              })
            }
          >
            {t(`field.${name}`)}
          </Checkbox>
        ))}
      </fieldset>
      <p className={styles.soft}>
        {t('own.shownText')} <Link to="/userCenter">{t('own.profile')}</Link>
      </p>
      <fieldset className={`${styles.choices} ${styles.wide}`}>
        <legend>{t('own.reach')}</legend>
        <Checkbox
          checked={choice.canBeFound}
          onChange={({ target }) => change({ canBeFound: target.checked })}
        >
          {t('own.canBeFound')}
        </Checkbox>
        <Checkbox
          checked={choice.showsOnline}
          onChange={({ target }) => change({ showsOnline: target.checked })}
        >
          {t('own.showsOnline')}
        </Checkbox>
      </fieldset>
      <p className={styles.soft}>{t('own.reachText')}</p>
      <div>
        <Button type="primary" htmlType="submit" disabled={!isChanged} loading={save.isPending}>
          {t('common:save')}
        </Button>
      </div>
    </form>
  )
}
