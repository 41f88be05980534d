import { MoreOutlined } from '@ant-design/icons'
import type { Chat } from '@neuroloom/contract/social/chats'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { newOpinionAddress } from '../opinions/addresses.ts'
import { ReportDialog } from '../report-dialog.tsx'
import { newRoundAddress } from '../rounds/addresses.ts'
import { forgetConversation } from './use-conversation.ts'

type Props = { chat: Chat; onInfo: () => void; onGone: () => void }

/** What can be done with a conversation as a whole. */
export function ChatMenu({ chat, onInfo, onGone }: Props) {
  const { t } = useTranslation(['social', 'social-rounds', 'social-opinions'])
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'block' | 'remove' | 'report' | null>(null)
  const close = () => setAsked(null)
  const { id: chatId, person, groupId, isMuted } = chat
  const name = chat.name || t('closedAccount')
  const mute = useAction('social/mute', { refresh: ['social/chats', 'social/messages', 'social/unread'] })
  const queries = useQueryClient()
  const remove = useAction('social/removeChat', {
    refresh: ['social/chats', 'social/unread'],
    onDone: () => {
      onGone()
      forgetConversation(queries, chatId)
    },
  })
  const block = useAction('social/block', {
    refresh: ['social/chats', 'social/messages', 'social/friends', 'social/card', 'social/unread'],
    onDone: () => toast.success(t('block.done', { name })),
  })
  const canBlock = person !== null && chat.closed !== 'blocked' && chat.closed !== 'account_closed'
  const items = [
    { key: 'info', label: t(groupId === null ? 'card' : 'group.info'), onClick: onInfo },
    chat.closed === null && {
      key: 'round',
      label: t('social-rounds:open'),
      onClick: () => void navigate(newRoundAddress(chatId)),
    },
    chat.closed === null && {
      key: 'opinion',
      label: t('social-opinions:open'),
      onClick: () => void navigate(newOpinionAddress(chatId)),
    },
    {
      key: 'mute',
      label: t(isMuted ? 'unmute' : 'mute'),
      onClick: () => mute.mutate({ chatId, isMuted: !isMuted }),
    },
    { type: 'divider' as const },
    canBlock && { key: 'block', danger: true, label: t('block.open'), onClick: () => setAsked('block') },
    { key: 'report', danger: true, label: t('report.open'), onClick: () => setAsked('report') },
    { key: 'remove', danger: true, label: t('remove.open'), onClick: () => setAsked('remove') },
  ].filter((item) => item !== false)
  const targetId = person?.id ?? groupId
  return (
    <>
      <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }} destroyOnHidden>
        <Button type="text" icon={<MoreOutlined aria-hidden />} aria-label={t('chatMenu', { name })} />
      </Dropdown>
      <ConfirmRemove
        open={asked === 'block'}
        title={t('block.ask', { name })}
        text={t('block.text')}
        confirmLabel={t('block.open')}
        onConfirm={() => person && block.mutateAsync({ memberId: person.id })}
        onClose={close}
      />
      <ConfirmRemove
        open={asked === 'remove'}
        title={t('remove.ask', { name })}
        text={t('remove.text')}
        confirmLabel={t('remove.open')}
        onConfirm={() => remove.mutateAsync({ chatId })}
        onClose={close}
      />
      {asked === 'report' && targetId !== null && (
        <ReportDialog kind={person ? 'member' : 'group'} targetId={targetId} onClose={close} />
      )}
    </>
  )
}
