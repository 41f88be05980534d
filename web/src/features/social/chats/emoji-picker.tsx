import { SmileOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './composer.module.css'

/** Drawn by the system's own typeface. */
const emoji = [
  ...['😀', '😄', '😂', '🙂', '😉', '😊', '😍', '😎', '🤔', '😐', '😕', '😢'],
  ...['😭', '😡', '😱', '😴', '🤒', '😷', '🤝', '👍', '👎', '👏', '🙏', '💪'],
  ...['👌', '✌️', '👋', '☝️', '❤️', '💔', '🔥', '⭐', '🎉', '🎂', '☕', '🍀'],
  ...['✅', '❌', '❗', '❓', '💡', '📌', '📎', '📅', '⏰', '🏥', '🩺', '💊'],
  ...['🩻', '🧠', '🫁', '🫀', '🦴', '🔬', '💻', '📊', '📈', '🧪', '🚑', '🌡️'],
]

export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useTranslation('social')
  const [isOpen, setIsOpen] = useState(false)
  const pick = (one: string) => {
    setIsOpen(false)
    onPick(one)
  }
  return (
    <Popover
      trigger="click"
      placement="topLeft"
      open={isOpen}
      onOpenChange={setIsOpen}
      destroyOnHidden
      content={
        <fieldset className={styles.emoji}>
          <legend>{t('emoji')}</legend>
          {emoji.map((one) => (
            <button key={one} type="button" onClick={() => pick(one)}>
              {one}
            </button>
          ))}
        </fieldset>
      }
    >
      <Button
        type="text"
        icon={<SmileOutlined aria-hidden />}
        aria-label={t('emoji')}
        aria-expanded={isOpen}
      />
    </Popover>
  )
}
