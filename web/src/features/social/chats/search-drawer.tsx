import type { Message } from '@neuroloom/contract/social/chats'
import { Drawer, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { firstField } from '../../../ui/first-field.ts'
import { useTyped } from '../../../ui/hooks/use-typed.ts'
import styles from './chats.module.css'
import { FoundMessages, LEAST_SEARCHED } from './found-messages.tsx'

type Props = { chatId: string; chatName: string; onFound: (message: Message) => void; onClose: () => void }

/** Looks for a text in one conversation. */
export function SearchDrawer({ chatId, chatName, onFound, onClose }: Props) {
  const { t } = useTranslation('social')
  const { text, setText, settled } = useTyped()
  return (
    <Drawer open title={t('searchIn', { name: chatName })} size={400} onClose={onClose}>
      <div className={styles.drawer}>
        <Input.Search
          ref={firstField}
          allowClear
          maxLength={100}
          aria-label={t('searchText')}
          placeholder={t('searchText')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {settled.length >= LEAST_SEARCHED && (
          <FoundMessages key={settled} text={settled} chatId={chatId} onFound={onFound} />
        )}
      </div>
    </Drawer>
  )
}
