import { sharing as limits } from '@neuroloom/contract/limits'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { isGroupNumber, JoinGroupDialog } from '../../../ui/share/join-group-dialog.tsx'

/** Joins the group of a number, once it is shown which one that is. */
export function JoinDialog({ number: given, onClose }: { number: string; onClose: () => void }) {
  const { t } = useTranslation('sharing')
  const navigate = useNavigate()
  const [number, setNumber] = useState(given.replace(/\D/g, ''))
  const isAsked = isGroupNumber(number)
  const found = useCall('files/findGroup', { number }, { quiet: true, enabled: isAsked })
  const group = isAsked ? found.data : undefined
  const join = useAction('files/joinGroup', {
    refresh: ['files/groups', 'files/list'],
    quiet: true,
    onDone: ({ id }) => {
      onClose()
      void navigate(`/cloudHome?tab=groups&group=${encodeURIComponent(id)}`)
    },
  })
  const factsOf = ({ owner, memberCount }: NonNullable<typeof group>) =>
    `${t('ownedBy', { name: owner })} · ${t('members', { count: memberCount, shown: formatNumber(memberCount) })}`
  return (
    <JoinGroupDialog
      texts={{
        title: t('join'),
        join: t('joinNow'),
        number: t('groupNumber'),
        numberHelp: t('groupNumberHelp'),
        password: t('groupPassword'),
        joined: t('joinedAlready'),
      }}
      number={number}
      onNumber={setNumber}
      group={group && { ...group, introduction: group.about, facts: factsOf(group) }}
      mostPassword={limits.groupPasswordLength}
      error={join.error ?? (isAsked ? found.error : null)}
      isBusy={join.isPending}
      onJoin={(password) => join.mutate({ number, password })}
      onTyped={() => join.reset()}
      onClose={onClose}
    />
  )
}
